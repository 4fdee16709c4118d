/**
 * What Node's permission model leaves to a process, and a sandbox process has no use for. It runs in front of the program, so
 * that nothing that takes the program over can reach it:
 *
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
 */
export const withheld = `(() => {
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
  take(process, ['kill', '_kill', '_debugProcess', '_debugEnd', 'report']);
  take(Object.getPrototypeOf(new ChildProcess()._handle), ['kill', 'spawn']);
  take(require('node:os'), ['setPriority']);
  take(require('node:v8'), ['setFlagsFromString', 'setHeapSnapshotNearHeapLimit', 'startupSnapshot']);
  take(require('node:trace_events'), ['createTracing']);
  const vm = require('node:vm');
  take(Object.getPrototypeOf(vm.Script.prototype), ['constructor', 'createCachedData']);
  const module = new vm.SourceTextModule('');
  const handles = Object.getOwnPropertySymbols(module).map(symbol => module[symbol]);
  const wrapped = handles.find(handle => handle?.constructor?.name === 'ModuleWrap');
  take(Object.getPrototypeOf(wrapped), ['constructor', 'createCachedData']);
  take(vm, Object.keys(vm));
  take(handleOf({ path: '/' }), ['bind', 'listen', 'connect', 'fchmod']);
  take(handleOf({ host: 'localhost', port: 1, lookup() {} }), ['bind', 'bind6', 'listen']);
  const datagrams = require('node:dgram').createSocket('udp4');
  const states = Object.getOwnPropertySymbols(datagrams).map(symbol => datagrams[symbol]);
  const udp = Object.getPrototypeOf(states.find(state => state?.handle).handle);
  datagrams.close();
  for (const name of ['bind', 'bind6']) udp[name] = onAnyPort(udp[name]);
  require('node:module').syncBuiltinESMExports();
})();
`;
