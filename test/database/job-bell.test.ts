import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sessionOptions } from '../../src/database/connection.ts';
import { JobBell } from '../../src/database/jobs/job-bell.ts';
import { Outages } from '../../src/database/outages.ts';

let server: net.Server;
let sockets: net.Socket[];
let bell: JobBell;
beforeEach(async () => {
  sockets = [];
  server = net.createServer(socket => sockets.push(socket.on('error', () => {})));
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  await bell.close();
  for (const socket of sockets) socket.destroy();
  await new Promise(resolve => server.close(resolve));
});

/** Reasons of outages and other errors, after the first error of the bell. */
async function reported(options: { connectionTimeoutMillis?: number } = {}) {
  const { port } = server.address() as net.AddressInfo;
  const session = sessionOptions({ host: '127.0.0.1', port, user: 'u', database: 'd' }, 'bell');
  const said: string[] = [];
  const outages = new Outages(async () => {}, {
    began: reason => said.push(`outage: ${reason}`),
    ended() {},
  });
  const failed = new Promise<void>(resolve => {
    const onError = (error: unknown) => {
      if (!outages.covers(error)) said.push(`error: ${(error as Error).message}`);
      resolve();
    };
    bell = new JobBell({ ...session, ...options }, () => {}, onError);
  });
  await bell.open();
  await failed;
  outages.close();
  return said;
}

it('reports a connection that is closed as it begins as an outage', async () => {
  server.on('connection', socket => socket.end());
  expect(await reported()).toEqual(['outage: Connection terminated unexpectedly']);
});

it('reports a server that does not answer as an outage', async () => {
  expect(await reported({ connectionTimeoutMillis: 200 })).toEqual(['outage: timeout expired']);
});
