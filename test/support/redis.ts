import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { canTest } from './can-test.ts';
import { giveToOrdinaryUser as give, ordinaryUser } from './ordinary-user.ts';
import { freePort, reachable, type TestServer } from './website.ts';

const program = '/usr/bin/redis-server';
const client = '/usr/bin/redis-cli';

/** Whether Redis is installed; warns if not, since its tests are then skipped. */
export const hasRedis = () =>
  canTest(existsSync(program), `${program} is not installed; the tests against a real Redis do not run`);

export interface RedisServer extends TestServer {
  readonly folder: string;
  /** Runs commands, one a line, over its Unix socket as `redis-cli` does. Rejects if one is refused. */
  run(commands: string, login?: readonly string[]): Promise<string>;
  /** Restarts it with another `redis.conf`. */
  reconfigure(configuration: string): Promise<void>;
}

/**
 * A Redis on loopback TCP and a Unix socket, in a temporary folder and as an unprivileged user.
 *
 * @param configuration the text of a `redis.conf`, with `{folder}` for the server's own folder and `{port}` for its port.
 * Without `bind`, it listens on loopback.
 * @param certificate for TLS, as the files `{folder}/server.crt` and `{folder}/server.key`
 */
export async function startRedis(
  configuration = 'port {port}',
  certificate?: { readonly chain: string; readonly key: string },
): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-test-'));
  const own = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text, { mode: 0o600 });
    await give(path);
    return path;
  };
  await give(folder);
  if (certificate) {
    await own('server.crt', certificate.chain);
    await own('server.key', certificate.key);
  }
  const port = await freePort();
  const socket = join(folder, 'test.sock');
  let server: ChildProcess;
  let log = '';
  const start = async (text: string) => {
    // Later lines win. A client of the test may connect without TLS and TCP.
    const defaults = [
      'bind 127.0.0.1',
      'dir {folder}',
      'save ""',
      `unixsocket ${socket}`,
      'unixsocketperm 700',
    ];
    const filled = [...defaults, text, '']
      .join('\n')
      .replaceAll('{folder}', folder)
      .replaceAll('{port}', `${port}`);
    const file = await own('redis.conf', filled);
    log = '';
    server = spawn(program, [file], { ...ordinaryUser, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [server.stdout!, server.stderr!]) stream.on('data', bytes => (log += bytes));
    await Promise.race([
      reachable(port),
      once(server, 'exit').then(([status]) => {
        throw new Error(`Redis ended with ${status}: ${log}`);
      }),
    ]);
  };
  const stop = async () => {
    server.kill('SIGKILL');
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  };
  await start(configuration);
  return {
    port,
    folder,
    run: async (commands, login = []) => {
      const running = promisify(execFile)(client, ['-s', socket, '--no-auth-warning', ...login]);
      running.child.stdin?.end(`${commands}\n`);
      const { stdout } = await running;
      if (/^(?:ERR|NOAUTH|NOPERM|WRONGPASS) /m.test(stdout)) throw new Error(`${stdout}\n${commands}`);
      return stdout;
    },
    reconfigure: async text => {
      await stop();
      await start(text);
    },
    close: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
