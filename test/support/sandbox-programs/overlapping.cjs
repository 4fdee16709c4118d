// A sandbox program that answers any number of tasks at a time, each after a moment. Some hold memory until the process ends.
const net = require('node:net');

const channel = new net.Socket({ fd: 3 });
channel.on('close', () => process.exit());
const held = [];
let received = '';
channel.setEncoding('utf8').on('data', text => {
  received += text;
  for (let end = received.indexOf('\n'); end !== -1; end = received.indexOf('\n')) {
    const { id, input } = JSON.parse(received.slice(0, end));
    received = received.slice(end + 1);
    if (input.source.host === 'hold memory' && held.length === 0)
      held.push(Buffer.alloc(60 * 1024 * 1024, 1));
    setTimeout(
      () => channel.write(`${JSON.stringify({ id, result: { ok: true, latencyMs: 1 } })}\n`),
      200 + 200 * Math.random(),
    );
  }
});
