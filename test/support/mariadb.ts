import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { canTest } from './can-test.ts';
import { giveToOrdinaryUser as give, ordinaryUser } from './ordinary-user.ts';
import type { DatabaseServer } from './postgres-server.ts';
import { freePort } from './website.ts';

const program = '/usr/sbin/mariadbd';

/** Whether MariaDB is installed; warns if not, since its tests are then skipped. */
export const hasMariadb = () =>
  canTest(existsSync(program), `${program} is not installed; the tests against a real MariaDB do not run`);

interface MariadbOptions {
  /** The text of a `my.cnf`, with `{folder}` for the server's own folder. The test sets the port and the paths. */
  readonly configuration?: string;
  /** Further options of the program, such as `--local-infile=1`. */
  readonly parameters?: readonly string[];
}

export interface MariadbServer extends DatabaseServer {
  /** Restarts it with another `my.cnf`. */
  reconfigure(text: string): Promise<void>;
}

/**
 * A separate MariaDB on loopback TCP that offers TLS, in a temporary folder and as an unprivileged user.
 *
 * @param statements SQL that creates its accounts and databases
 */
export async function startMariadb(
  certificate: { readonly chain: string; readonly key: string },
  statements: readonly string[],
  options: MariadbOptions = {},
): Promise<MariadbServer> {
  const folder = await mkdtemp(join(tmpdir(), 'mariadb-test-'));
  const own = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text, { mode: 0o600 });
    await give(path);
    return path;
  };
  await give(folder);
  const data = join(folder, 'data');
  // A server that starts removes the temporary tables of others in the same folder.
  const temporary = join(folder, 'temporary');
  await mkdir(temporary);
  await give(temporary);
  const folders = [`--datadir=${data}`, `--tmpdir=${temporary}`];
  const making = ['--no-defaults', ...folders, '--skip-test-db', '--skip-name-resolve'];
  await promisify(execFile)('/usr/bin/mariadb-install-db', making, { ...ordinaryUser, cwd: folder });
  const port = await freePort();
  const { configuration } = options;
  const configure = (text: string) => own('my.cnf', text.replaceAll('{folder}', folder));
  const defaults =
    configuration === undefined ? '--no-defaults' : `--defaults-file=${await configure(configuration)}`;
  const parameters = [
    ...[defaults, ...folders, `--socket=${join(folder, 'socket')}`],
    ...['--bind-address=127.0.0.1', `--port=${port}`, '--skip-name-resolve', '--innodb-buffer-pool-size=8M'],
    `--ssl-cert=${await own('server.crt', certificate.chain)}`,
    `--ssl-key=${await own('server.key', certificate.key)}`,
    ...(options.parameters ?? []),
  ];
  let server: ChildProcess;
  const start = async (more: readonly string[] = []) => {
    const started = spawn(program, [...parameters, ...more], {
      ...ordinaryUser,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server = started;
    await new Promise<void>((resolve, reject) => {
      let log = '';
      started.stderr.on('data', chunk => {
        log += chunk;
        if (log.includes('ready for connections')) resolve();
      });
      started.once('exit', status => reject(new Error(`MariaDB ended with ${status}: ${log}`)));
    });
  };
  const stop = async () => {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
  };
  await start([`--init-file=${await own('accounts.sql', `${statements.join(';\n')};\n`)}`]);
  return {
    port,
    close: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
    reconfigure: async text => {
      await stop();
      await configure(text);
      await start();
    },
  };
}
