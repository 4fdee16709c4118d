/**
 * The public modules of Node that stay whole, as far as the permission model allows: those that the program requires, and what
 * they are made of. To load `domain` changes how every event is emitted, so that it is not emptied; it is JavaScript alone.
 * `repl` is not loaded as it loads `domain`, and without `vm` it cannot be.
 */
export const keptModules = [
  ...[
    'assert',
    'async_hooks',
    'buffer',
    'console',
    'crypto',
    'dgram',
    'diagnostics_channel',
    'dns',
    'events',
  ],
  ...['fs', 'http', 'http2', 'module', 'net', 'os', 'path', 'perf_hooks', 'process', 'querystring', 'stream'],
  ...['string_decoder', 'timers', 'tls', 'url', 'util', 'worker_threads', 'zlib'],
  ...['assert/strict', 'constants', 'dns/promises', 'fs/promises', 'path/posix', 'path/win32'],
  ...['stream/consumers', 'stream/promises', 'stream/web', 'sys', 'timers/promises', 'util/types'],
  ...['_http_agent', '_http_client', '_http_common', '_http_incoming', '_http_outgoing', '_http_server'],
  ...['_stream_duplex', '_stream_passthrough', '_stream_readable', '_stream_transform', '_stream_wrap'],
  ...['_stream_writable', '_tls_common', '_tls_wrap'],
  ...['domain', 'repl'],
];

/** Modules that `builtinModules` of Node 20 and 22 does not list. */
const unlistedModules = ['node:sea', 'node:sqlite', 'node:test', 'node:test/reporters'];

/** What stays of `node:module`, beside the parts of the loader: their names begin with an underscore. */
const keptOfLoader = ['Module', 'builtinModules', 'createRequire', 'isBuiltin', 'syncBuiltinESMExports'];

/** The last words of a process that found something missing of what it must give up: another release of Node may name it otherwise. */
export const notWithheld = 'nothing was withheld\n';

/**
 * What Node's permission model leaves to a process, and a sandbox process has no use for. It runs in front of the program, so
 * that nothing that takes the program over can reach it:
 *
 * - every public module of Node but `keptModules`: some ask no permission, such as `node:sqlite`, which opens and makes files;
 * - a change of the environment: the C library reads the files that some variables name (`RESOLV_HOST_CONF`), and repeats their
 *   lines on descriptor 2, which may be a socket by then;
 * - signals, and the priority of other processes: those of the same user could be ended or slowed, the service among them;
 * - flags of V8: some have it append lines of the program's choice to any file, others turn checks of memory off; traces
 *   write files too;
 * - the diagnostic report, which Node writes to any file, without asking the permission model, when the heap is full;
 * - code in V8's own form (`cachedData` of `vm`), which V8 runs unchecked. Node's own scripts and modules come by a program that
 *   redefines a property of `Object.prototype` or `Promise.prototype`, so that their constructors, which take it too, are
 *   removed from them;
 * - unix sockets: those of other services of this machine trust whoever can open them, and one that is bound is a file;
 * - listening: a sandbox process connects, and is connected to by nobody;
 * - UDP ports of its choice, where it could pose as a service of this machine. Questions to name servers need a port: the kernel
 *   chooses it.
 *
 * A terminal or a supervisor sends signals to the whole process group: the service decides when its sandbox processes end.
 *
 * Handles of sockets, which exist before anything is connected to, have their methods from one prototype, so that no other way to them is left.
 *
 * Where any of it fails, the program does not start.
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
