/**
 * The public Node modules that are not emptied, as far as the permission model allows: those that the program requires,
 * and their dependencies. `domain` is not emptied because loading it changes how every event is emitted; it is pure
 * JavaScript. `repl` is not loaded because it loads `domain`, and does not work without `vm`.
 */
export const keptModules = [
  ...['assert', 'async_hooks', 'buffer', 'console', 'crypto', 'dgram', 'diagnostics_channel', 'dns'],
  ...['events', 'fs', 'http', 'http2', 'module', 'net', 'os', 'path', 'perf_hooks', 'process', 'querystring'],
  ...['stream', 'string_decoder', 'timers', 'tls', 'url', 'util', 'worker_threads', 'zlib'],
  ...['assert/strict', 'constants', 'dns/promises', 'fs/promises', 'path/posix', 'path/win32'],
  ...['stream/consumers', 'stream/promises', 'stream/web', 'sys', 'timers/promises', 'util/types'],
  ...['_http_agent', '_http_client', '_http_common', '_http_incoming', '_http_outgoing', '_http_server'],
  ...['_stream_duplex', '_stream_passthrough', '_stream_readable', '_stream_transform', '_stream_wrap'],
  ...['_stream_writable', '_tls_common', '_tls_wrap', 'domain', 'repl'],
];

/** Modules that `builtinModules` of Node 20 and 22 does not list. */
const unlistedModules = ['node:sea', 'node:sqlite', 'node:test', 'node:test/reporters'];

/** What is kept of `node:module`, besides the loader's parts, whose names begin with an underscore. */
const keptOfLoader = ['Module', 'builtinModules', 'createRequire', 'isBuiltin', 'syncBuiltinESMExports'];

/** Printed as the process exits because an API to remove is missing: another release of Node may have renamed it. */
export const notWithheld = 'nothing was withheld\n';

/**
 * Removes capabilities that Node's permission model allows, and that a sandbox process does not need. It runs before
 * the program, so that code that takes the program over cannot reach them:
 *
 * - every public module of Node except `keptModules`: some need no permission, such as `node:sqlite`, which opens and
 *   creates files;
 * - changing the environment: the C library reads files named by some variables (`RESOLV_HOST_CONF`), and prints
 *   their lines to descriptor 2, which may be a socket by then;
 * - signals, and the priority of other processes: those of the same user could be ended or slowed, including the
 *   service;
 * - V8 flags: some append lines that the program chooses to any file, others disable memory checks; traces write
 *   files too;
 * - the diagnostic report, which Node writes to any file without a permission check when the heap is full;
 * - V8 bytecode (`cachedData` of `vm`), which V8 runs unchecked. Redefining a property of `Object.prototype` or
 *   `Promise.prototype` exposes Node's own scripts and modules, whose constructors accept it too, so they lose their
 *   constructors;
 * - unix sockets: other services on this machine trust any process that can open them, and binding one creates a
 *   file;
 * - listening: a sandbox process only makes connections;
 * - binding chosen UDP ports, which could impersonate a service on this machine. DNS queries need a port, which the
 *   kernel chooses.
 *
 * Terminals and supervisors signal the whole process group, but the service decides when its sandbox processes end.
 *
 * Socket handles, which exist before they are connected, get all their methods from one prototype, so removing them
 * there leaves no other way.
 *
 * If any step fails, the program does not start.
 */
export const withheld = `try { (() => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  const take = (object, names) => { for (const name of names) delete object[name]; };
  const handleOf = target => {
    const socket = new (require('node:net').Socket)().on('error', () => {});
    socket.connect(target);
    const prototype = Object.getPrototypeOf(socket._handle);
    socket.destroy();
    return prototype;
  };
  const { apply } = Reflect;
  const onAnyPort = bind => function (address) { 'use strict'; return apply(bind, this, [\`\${address}\`, 0, 0]); };
  const { ChildProcess } = require('node:child_process');
  process.env = Object.freeze({ ...process.env });
  take(process, ['binding', '_linkedBinding', 'execve', 'loadEnvFile']);
  take(process, ['kill', '_kill', '_debugProcess', '_debugEnd', 'report']);
  take(Object.getPrototypeOf(new ChildProcess()._handle), ['kill', 'spawn']);
  take(require('node:os'), ['setPriority']);
  const vm = require('node:vm');
  take(Object.getPrototypeOf(vm.Script.prototype), ['constructor', 'createCachedData']);
  const module = new vm.SourceTextModule('');
  const handles = Object.getOwnPropertySymbols(module).map(symbol => module[symbol]);
  const wrapped = handles.find(handle => handle?.constructor?.name === 'ModuleWrap');
  take(Object.getPrototypeOf(wrapped), ['constructor', 'createCachedData']);
  take(handleOf({ path: '/' }), ['bind', 'listen', 'connect', 'fchmod']);
  take(handleOf({ host: 'localhost', port: 1, lookup() {} }), ['bind', 'bind6', 'listen']);
  const datagrams = require('node:dgram').createSocket('udp4');
  const states = Object.getOwnPropertySymbols(datagrams).map(symbol => datagrams[symbol]);
  const udp = Object.getPrototypeOf(states.find(state => state?.handle).handle);
  datagrams.close();
  for (const name of ['bind', 'bind6']) udp[name] = onAnyPort(udp[name]);
  const loader = require('node:module');
  const kept = ${JSON.stringify(keptModules)};
  const keptOfLoader = ${JSON.stringify(keptOfLoader)};
  const others = loader.builtinModules.filter(name => !kept.includes(name));
  const unlisted = ${JSON.stringify(unlistedModules)}.filter(loader.isBuiltin);
  // Some need another whole to load.
  for (const taken of [...others, ...unlisted].map(require)) take(taken, Reflect.ownKeys(taken));
  take(loader, Object.keys(loader).filter(name => !name.startsWith('_') && !keptOfLoader.includes(name)));
  loader.syncBuiltinESMExports();
})(); } catch {
  require('node:fs').writeSync(2, ${JSON.stringify(notWithheld)});
  process.exit(1);
}
`;
