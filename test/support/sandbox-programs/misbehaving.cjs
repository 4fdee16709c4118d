// A compromised sandbox program: performs the scenario that the task's source is named after.
const dgram = require('node:dgram');
const dns = require('node:dns');
const net = require('node:net');
const Module = require('node:module');
const os = require('node:os');
const v8 = require('node:v8');
const { Worker } = require('node:worker_threads');
const fs = require('node:fs');
const childProcess = require('node:child_process');

const channel = new net.Socket({ fd: 3 });
channel.on('close', () => process.exit());
let id;
const answer = result => channel.write(`${JSON.stringify({ id, result })}\n`);
const ok = { ok: true, latencyMs: 1 };

const codeOf = attempt => {
  try {
    attempt();
    return 'allowed';
  } catch (error) {
    return error.code ?? error.message;
  }
};

const scenarios = {
  answer: () => answer(ok),
  'compute forever': () => {
    for (;;);
  },
  'say nothing': () => {},
  'fill the heap': () => {
    const kept = [];
    for (;;) kept.push({ numbers: new Array(1000).fill(Math.random()) });
  },
  'fill memory outside of the heap': () => {
    const kept = [];
    setInterval(() => kept.push(Buffer.alloc(48 * 1024 * 1024, 1)), 5);
  },
  // Less than a process alone may take.
  'hold memory': () => {
    globalThis.held = Buffer.alloc(150 * 1024 * 1024, 1);
  },
  'hold memory for a while': () => {
    globalThis.held = Buffer.alloc(150 * 1024 * 1024, 1);
    setTimeout(() => answer(ok), 1_500);
  },
  exit: () => process.exit(0),
  abort: () => process.abort(),
  throw: () => {
    throw new Error('S3cret words of the target');
  },
  'answer without end': () => {
    const more = () => {
      while (channel.write('a'.repeat(65_536)));
    };
    channel.on('drain', more);
    more();
  },
  'answer lists within lists': () =>
    channel.write(`{"id":"${id}","result":${'['.repeat(1_000)}${']'.repeat(1_000)}}\n`),
  'answer too many values': () => answer(Array.from({ length: 30_000 }, () => 0)),
  'answer something else': () => answer({ ok: true, latencyMs: 1, error_code: 'S3cret' }),
  'answer empty lines': () => channel.write('\n'.repeat(65_536)),
  'answer no JSON': () => channel.write('{"result":\n'),
  'answer null': () => channel.write('null\n'),
  'answer for another task': () => channel.write(`${JSON.stringify({ id: 'x', result: ok })}\n`),
  'answer with a fault': () =>
    channel.write(
      `${JSON.stringify({ id, fault: ['TypeError', '[stdin]:1:1', 'S3cret', 'S3cret Error', 'x'.repeat(10_000)] })}\n`,
    ),
  'compute a while': () => {
    const before = process.cpuUsage().user;
    while (process.cpuUsage().user - before < 60_000);
    answer(ok);
  },
  'answer, then compute forever': () => {
    answer(ok);
    setTimeout(() => {
      for (;;);
    }, 50);
  },
  'answer, then send numbers': () => {
    answer(ok);
    setTimeout(() => channel.write('1\n'.repeat(32_768)), 50);
  },
  'answer, then send objects without an id': () => {
    answer(ok);
    setTimeout(() => channel.write('{}\n'.repeat(32_768)), 50);
  },
  'fill standard error': () => {
    const words = Buffer.alloc(65_536, 'x');
    for (;;) {
      try {
        fs.writeSync(2, words);
      } catch (error) {
        if (error.code === 'EPIPE') break;
      }
    }
    answer(ok);
  },
  'wait a while': () => void setTimeout(() => answer(ok), 500),
  'answer twice': () => {
    answer(ok);
    answer({ ok: false, errorCode: 'timeout', latencyMs: 1 });
  },
  'use permitted capabilities': async () => {
    const folder = '/tmp/sandbox-was-here-too';
    const flags = await import('node:v8');
    const vm = await import('node:vm');
    const handle = new net.Socket({ fd: 2 })._handle;
    seen([
      `append ${codeOf(() => appendByTrace(`${folder}.txt`))}`,
      `flags ${typeof flags.setFlagsFromString} ${typeof flags.default.setFlagsFromString}`,
      `trace ${codeOf(() =>
        require('node:trace_events')
          .createTracing({ categories: ['node'] })
          .enable(),
      )}`,
      `report ${typeof process.report} ${Object.hasOwn(process, 'report')}`,
      `bytecode ${Object.keys(require('node:vm'))} ${typeof vm.Script}`,
      `script ${formOf(scriptOfNode())}`,
      `modules ${[...new Set((await heldByNode(() => import(emptyModule))).map(formOf))].sort()}`,
      `priority ${typeof os.setPriority} ${typeof (await import('node:os')).setPriority}`,
      `bind ${await outcomeOf(done =>
        net
          .createServer()
          .on('error', done)
          .listen({ path: `${folder}.sock`, exclusive: true }, () => done('bound')),
      )}`,
      `unix ${await outcomeOf(done => net.connect('/tmp/x.sock').on('error', done))}`,
      `handle ${['bind', 'listen', 'connect'].map(name => typeof new handle.constructor(0)[name])}`,
      `listen ${await outcomeOf(done =>
        net
          .createServer()
          .on('error', done)
          .listen({ port: 0, host: '127.0.0.1', exclusive: true }, () => done('listens')),
      )}`,
      `udp ${await outcomeOf(done => boundTo('udp4', done))}`,
      `udp6 ${await outcomeOf(done => boundTo('udp6', done))}`,
      `question ${await outcomeOf(askItself)}`,
      `tcp ${await outcomeOf(done => net.connect(1, '127.0.0.1').on('error', done))}`,
    ]);
  },
  'list modules': async () => {
    const unlisted = ['node:sea', 'node:sqlite', 'node:test', 'node:test/reporters'];
    const names = [...new Set([...Module.builtinModules, ...unlisted.filter(Module.isBuiltin)])];
    const left = [];
    for (const name of names) {
      if (codeOf(() => require(name)) !== 'allowed') continue;
      const { default: exported, ...named } = await import(name);
      const isEmpty = Object.values(named).every(value => value === undefined);
      if (Reflect.ownKeys(exported).length > 0 || !isEmpty) left.push(name);
    }
    seen(left);
  },
  'open a database': () => seen([codeOf(() => new (require('node:sqlite').DatabaseSync)(file))]),
  'read a file through the environment': async () => {
    const words = [];
    const server = dgram.createSocket('udp4').on('message', text => words.push(`${text}`));
    await new Promise(resolve => server.bind(0, '127.0.0.1', resolve));
    const address = server.address();
    // The C library prints lines of the file that it does not understand to descriptor 2: the next socket.
    process.env.RESOLV_HOST_CONF = file;
    fs.closeSync(2);
    const client = dgram.createSocket('udp4');
    await new Promise(resolve => client.connect(address.port, address.address, resolve));
    await new Promise(resolve => dns.lookupService('127.0.0.1', 9, resolve));
    await new Promise(resolve => client.send('the end', resolve));
    while (!words.includes('the end')) await new Promise(setImmediate);
    seen([`read ${words.join('')}`]);
  },
  'report its access': () =>
    seen([
      `environment ${JSON.stringify(process.env)}`,
      `arguments ${process.argv.slice(2).join(' ')}`,
      `folder ${codeOf(() => process.cwd())} user ${process.getuid()}`,
      `read ${codeOf(() => fs.readFileSync('/etc/hostname'))}`,
      `read the parent's environment ${codeOf(() => fs.readFileSync(`/proc/${process.ppid}/environ`))}`,
      `list ${codeOf(() => fs.readdirSync('/'))}`,
      `write ${codeOf(() => fs.writeFileSync('/tmp/sandbox-was-here', 'x'))}`,
      `spawn ${codeOf(() => childProcess.spawnSync('true'))}`,
      `thread ${codeOf(() => new Worker('', { eval: true }))}`,
      `signals ${['kill', '_kill', '_debugProcess', '_debugEnd'].map(name => typeof process[name]).join(' ')}`,
      `native ${codeOf(() => process.dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libm.so.6'))}`,
    ]),
};

// The outcome of an attempt that may fail at once, or later with an event.
const outcomeOf = start =>
  new Promise(resolve => {
    const done = what => resolve(typeof what === 'string' ? what : (what.code ?? what.message));
    process.on('uncaughtException', done);
    try {
      start(done);
    } catch (error) {
      done(error);
    }
  });

/** Tries to bind a chosen UDP port. */
const boundTo = (type, done) => {
  const socket = dgram.createSocket(type).on('error', done);
  socket.bind({ port: 8125, exclusive: true }, () =>
    done(socket.address().port === 8125 ? 'bound' : 'another port'),
  );
};

/** Sends a datagram like a DNS query. */
const askItself = done => {
  const server = dgram.createSocket('udp4').on('error', done);
  server.on('message', text => done(`${text}`));
  server.bind(0, '127.0.0.1', () => {
    const client = dgram.createSocket('udp4').on('error', done);
    client.connect(server.address().port, '127.0.0.1', () => client.send('asked'));
  });
};

/** Created by the test, or must not be created. */
const file = '/tmp/not-for-the-sandbox';

const emptyModule = 'data:text/javascript,';

/** The name of the constructor, and whether it exposes bytecode. */
const formOf = object => `${object?.constructor?.name} ${typeof object?.createCachedData}`;

/** The object that Node compiles a script with, captured as it sets a property through `Object.prototype`. */
function scriptOfNode() {
  let script;
  const key = 'sourceMapURL';
  const set = function () {
    script = this;
  };
  Object.defineProperty(Object.prototype, key, { configurable: true, set });
  Module.wrapper = [...Module.wrapper];
  new Module('x')._compile('', 'x');
  delete Object.prototype[key];
  return script;
}

/** What Node awaits in the meantime: awaiting a promise reads its constructor. */
async function heldByNode(action) {
  const promises = [];
  const get = function () {
    promises.push(this);
    return Promise;
  };
  Object.defineProperty(Promise.prototype, 'constructor', { configurable: true, get });
  await action();
  Object.defineProperty(Promise.prototype, 'constructor', {
    configurable: true,
    writable: true,
    value: Promise,
  });
  const held = [];
  for (const promise of promises) promise.then(value => held.push(value));
  await new Promise(setImmediate);
  return held;
}

/** Has V8 append a chosen line to a file. */
function appendByTrace(file) {
  v8.setFlagsFromString('--redirect-code-traces');
  v8.setFlagsFromString(`--redirect-code-traces-to=${file}`);
  v8.setFlagsFromString('--trace-opt');
  const { '\nchosen line\n': add } = { '\nchosen line\n': number => number + 1 };
  for (let count = 0; count < 1e5; count++) add(count);
}

// Reports lines in the form of an inspection result.
const seen = lines =>
  answer({
    results: [
      {
        detector: 'x',
        subject: null,
        detection: {
          observations: lines.map(line => ({ check: 'x', locator: line, seen: '' })),
          notAssessed: [],
          places: [],
        },
      },
    ],
  });

let known = false;
let received = '';
channel.setEncoding('utf8').on('data', text => {
  received += text;
  for (let end = received.indexOf('\n'); end !== -1; end = received.indexOf('\n')) {
    const request = JSON.parse(received.slice(0, end));
    id = request.id;
    received = received.slice(end + 1);
    if (request.task === 'prove_domain') answer(known ? 'dns_txt' : null);
    else scenarios[request.input.source.host]();
    known = true;
  }
});
