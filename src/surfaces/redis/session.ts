import { ConnectionFailed } from '../connection/connection-failed.ts';
import { overOf, type ReachedServer } from '../connection/connection-test.ts';
import { readAnswer, secure } from '../connection/opening-talk.ts';
import { errorCodeOfRefusal } from './failure.ts';
import { RefusedCommand, Replies, type Reply } from './replies.ts';

export type Command = readonly string[];

/** Bytes of all replies together: more than a list of thousands of users with many rules. */
const maxReceived = 4 * 1024 * 1024;

/** A connection to a server before the login. */
export interface RedisSession {
  readonly over: 'loopback' | 'network';
  readonly tls: boolean;
  /**
   * Sends commands together and waits for all replies.
   *
   * @throws ConnectionFailed if the server sends anything else; the system's error; the signal's reason if aborted
   */
  ask(commands: readonly Command[]): Promise<readonly Reply[]>;
  /**
   * Logs in with the credential, if it has a login.
   *
   * @throws ConnectionFailed if the server refuses it
   */
  logIn(): Promise<void>;
}

/** Starts TLS unless the DSN disables it. @throws like `secure` */
export async function openRedis(server: ReachedServer, signal: AbortSignal): Promise<RedisSession> {
  const { dsn } = server;
  const over = overOf(server.socket);
  const socket = dsn.plaintext ? server.socket : await secure(server.socket, server, signal);
  let received = 0;
  const ask = async (commands: readonly Command[]) => {
    const replies = new Replies(commands.length);
    socket.write(Buffer.concat(commands.map(encoded)));
    let size = 0;
    const answers = await readAnswer(socket, signal, bytes => {
      size = bytes.length;
      if (received + size > maxReceived) throw new ConnectionFailed('protocol_invalid');
      return replies.read(bytes);
    });
    received += size;
    return answers;
  };
  const logIn = async () => {
    if (dsn.user === '' && dsn.password === '') return;
    // Before Redis 6, there are only passwords.
    const command = dsn.user === '' ? ['AUTH', dsn.password] : ['AUTH', dsn.user, dsn.password];
    const [reply] = await ask([command]);
    if (reply === 'OK') return;
    if (!(reply instanceof RefusedCommand)) throw new ConnectionFailed('protocol_invalid');
    // Without a password on the server, every connection is logged in as the default user.
    const isDefault = dsn.user === '' || dsn.user === 'default';
    if (isDefault && /without any password|no password is set/i.test(reply.text)) return;
    throw new ConnectionFailed(errorCodeOfRefusal(reply, 'auth_failed'));
  };
  return {
    over,
    tls: !dsn.plaintext,
    ask,
    logIn,
  };
}

/** A command as a list of texts, so that no part of it can be read as another command. */
function encoded(command: Command): Buffer {
  const parts = command.map(part => `$${Buffer.byteLength(part)}\r\n${part}\r\n`);
  return Buffer.from(`*${command.length}\r\n${parts.join('')}`);
}
