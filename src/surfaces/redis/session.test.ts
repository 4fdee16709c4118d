import { expect, it } from 'vitest';
import { loopbackGuard, rawServer } from '../../../test/support/website.ts';
import { withServer } from '../connection/connection-test.ts';
import { redisForm } from '../connection/dsn.ts';
import { openRedis } from './session.ts';

it('ends if replies exceed the limit in total, although each is below its own', async () => {
  const text = 'a'.repeat(900_000);
  const server = await rawServer(socket => {
    socket.on('data', () => socket.write(`$${text.length}\r\n${text}\r\n`));
  });
  const host = `127.0.0.1:${server.port}`;
  const signal = AbortSignal.timeout(20_000);
  const options = {
    guard: loopbackGuard(),
    signal,
    credential: { type: 'dsn', dsn: `redis://${host}` },
  } as const;
  const ask = (times: number) =>
    withServer(host, redisForm, options, signal, async server => {
      const session = await openRedis(server, signal);
      for (let time = 0; time < times; time += 1) await session.ask([['PING']]);
      return 'all replies';
    });
  try {
    expect(await ask(4)).toBe('all replies');
    await expect(ask(5)).rejects.toMatchObject({ errorCode: 'protocol_invalid' });
  } finally {
    await server.close();
  }
});
