import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createManagementServer } from '../../src/http/management-server.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { startService, type TestService } from '../support/service.ts';
import { send, signRequest } from '../support/signing-client.ts';
import { createFixture } from './routes.ts';

let service: TestService;
let management: Server;
const uncaught: unknown[] = [];
const note = (error: unknown) => void uncaught.push(error);
beforeAll(async () => {
  process.on('uncaughtExceptionMonitor', note);
  service = await startService();
  management = createManagementServer({
    metrics: new Metrics(),
    readiness: async () => 'ready',
    host: '127.0.0.1',
  });
  await once(management.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  process.off('uncaughtExceptionMonitor', note);
  management?.close();
  await service?.close();
});

const upload = 'POST /dashboard/api/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

/** Gets no response before its body is complete. */
const unfinished = `${upload}Content-Length: 9\r\n\r\n{`;

/** Sends its second argument to the port in its first, and resets the connection. */
const resetter = `
  const [, port, text] = process.argv;
  const socket = require('node:net').connect(Number(port), '127.0.0.1', () => {
    socket.write(text, () => socket.resetAndDestroy());
  });
`;

/** What a client sends before it resets the connection. */
const openings = [
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'CONNECT /api/v1/systems HTTP/1.1\r\nHost: a\r\n\r\nmore',
  'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nCONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
  'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'not http at all\r\n\r\n',
  unfinished,
  `${upload}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\nzz\r\n`,
  'POST /api/v1/systems HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\nzz\r\n',
];

it.each(['public', 'management'])(
  'survives a client that resets its connection to the %s port at any moment',
  async name => {
    const { url, connections } = portOf(name);
    for (const opening of openings) {
      for (const heard of [false, true, false, true]) {
        const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
        await once(socket, 'connect');
        await new Promise(resolve => socket.write(opening, resolve));
        if (heard && opening !== unfinished) await once(socket, 'data');
        socket.resetAndDestroy();
      }
    }
    await poll('all connections to close', async () => ((await connections()) === 0 ? true : undefined));
    expect(uncaught).toEqual([]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  },
);

it('does nothing for a connection that was reset before its address was known', async () => {
  const fixture = await createFixture(service);
  const before = service.log.length;
  const { connections } = portOf('public');
  const others = await connections();
  const body = JSON.stringify({ name: 'A', environment: 'test', kind: 'api' });
  const { headers, target } = signRequest(fixture.key, 'POST', '/api/v1/systems', body);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const signed = [`POST ${target} HTTP/1.1`, 'Host: x', `Content-Length: ${body.length}`, ...lines, '', body];
  const signIn = '{"email":"a@b.example","password":"x"}';
  const anyones = `${upload}Sec-Fetch-Site: same-origin\r\nContent-Length: ${signIn.length}\r\n\r\n${signIn}`;
  // Sent and reset while the server, in this process, waits for the end of the request.
  for (const request of [signed.join('\r\n'), anyones]) {
    execFileSync(process.execPath, ['-e', resetter, new URL(service.url).port, request]);
  }
  await poll('these connections to close', async () => ((await connections()) <= others ? true : undefined));
  // Waits for the organization's next change, which comes after any that are still running.
  expect((await send(service.url, signRequest(fixture.key, 'GET', '/api/v1/systems'))).status).toBe(200);
  const { rows } = await asOwner(service.database.connection, client =>
    client.query(
      `select count(*)::int as count from ${recordedEntries} where actor_kind = 'key' and address is null`,
    ),
  );
  expect(rows).toEqual([{ count: 0 }]);
  expect(service.log.slice(before).filter(line => JSON.parse(line).level >= 50)).toEqual([]);
});

function portOf(name: string): { url: string; connections(): Promise<number> } {
  if (name === 'public') {
    const gauge = /^parapet_http_connections (\d+)$/m;
    return {
      url: service.url,
      connections: async () => Number(gauge.exec(await service.metrics.text())![1]),
    };
  }
  const { port } = management.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    connections: promisify(management.getConnections.bind(management)),
  };
}
