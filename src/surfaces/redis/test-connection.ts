import { ConnectionFailed } from '../connection/connection-failed.ts';
import { type ConnectionTestOptions, measured, withServer } from '../connection/connection-test.ts';
import { redisForm } from '../connection/dsn.ts';
import { connectionErrorCode } from '../connection/failure.ts';
import { errorCodeOfRefusal } from './failure.ts';
import { RefusedCommand } from './replies.ts';
import { openRedis } from './session.ts';

/**
 * Tests whether a Redis or Valkey server answers at the source's host and accepts the credential. A server that waits for
 * more of the client's first message cannot be distinguished from a silent one before the timeout.
 *
 * @param host the source's, as stored
 * @throws the signal's reason if the caller aborted; every other failure is in the result
 */
export function testRedis(host: string, options: ConnectionTestOptions<'dsn'>) {
  return measured(options, connectionErrorCode, signal =>
    withServer(host, redisForm, options, signal, async server => {
      const session = await openRedis(server, signal);
      await session.logIn();
      const [reply] = await session.ask([['PING']]);
      if (reply === 'PONG') return;
      // A login that succeeded is enough: the user may lack the command.
      const hasLoggedIn = server.dsn.user !== '' || server.dsn.password !== '';
      if (!(reply instanceof RefusedCommand)) throw new ConnectionFailed('protocol_invalid');
      if (reply.code === 'NOPERM' && hasLoggedIn) return;
      throw new ConnectionFailed(errorCodeOfRefusal(reply, 'connection_failed'));
    }),
  );
}
