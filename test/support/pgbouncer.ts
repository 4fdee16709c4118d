import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectionSettings } from '../../src/database/connection.ts';
import { canTest } from './can-test.ts';
import { DatabaseRelay } from './database-relay.ts';
import { ordinaryFolder, ordinaryUser } from './ordinary-user.ts';
import { asOwner } from './postgres.ts';
import { blockOf } from './postgresql-page.ts';
import { freePort } from './website.ts';

const program = process.env.PARAPET_TEST_PGBOUNCER ?? '/usr/sbin/pgbouncer';
const password = 'a-long-password';

/** Whether it is installed; warns if not, since the tests are then skipped. */
export const hasPgbouncer = () =>
  canTest(existsSync(program), `${program} is not installed; the tests of a pooler do not run`);

export interface Pgbouncer {
  /** Through it. */
  readonly connection: ConnectionSettings;
  readonly log: () => string;
  close(): Promise<void>;
}

/**
 * PgBouncer with the configuration of docs/postgresql.md, in front of a database.
 *
 * @param connection of a superuser
 * @param changes to the section `pgbouncer`
 */
export async function startPgbouncer(
  connection: ConnectionSettings,
  changes: Readonly<Record<string, string | number>> = {},
): Promise<Pgbouncer> {
  // As another user, it may not enter the folder of the server's socket.
  const relay = connection.host!.startsWith('/') ? await DatabaseRelay.start(connection) : undefined;
  const { host, port } = relay?.connection ?? connection;
  const { database } = connection;
  const [sql, ini] = ['sql', 'ini'].map(language => blockOf(language)) as [Promise<string>, Promise<string>];
  const login = `pgbouncer_${database}`;
  const statements = (await sql).replace('ROLE pgbouncer', `ROLE ${login}`);
  await asOwner(connection, async client => {
    await client.query(statements.replaceAll(/(AUTHORIZATION|TO) pgbouncer/g, `$1 ${login}`));
  });
  const folder = await ordinaryFolder('pgbouncer-');
  const listenPort = await freePort();
  const own: Readonly<Record<string, string | number>> = {
    listen_port: listenPort,
    auth_file: join(folder, 'userlist.txt'),
    unix_socket_dir: folder,
    ...changes,
  };
  const lines = (await ini)
    .replace(/^parapet = .*$/m, `${database} = host=${host} port=${port} auth_user=${login}`)
    .split('\n')
    .filter(line => !(line.split(' = ')[0]! in own));
  const configuration = [
    ...lines,
    ...Object.entries(own).map(([name, value]) => `${name} = ${value}`),
    '',
  ].join('\n');
  await writeFile(join(folder, 'userlist.txt'), `"${login}" "${password}"\n`, { mode: 0o644 });
  await writeFile(join(folder, 'pgbouncer.ini'), configuration, { mode: 0o644 });
  const child = spawn(program, [join(folder, 'pgbouncer.ini')], {
    ...ordinaryUser,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', chunk => {
      log += chunk;
      if (/process up/.test(log)) resolve();
    });
    child.once('exit', status => reject(new Error(`PgBouncer ended with ${status}: ${log}`)));
  });
  return {
    connection: { ...connection, host: '127.0.0.1', port: listenPort, isPooled: true },
    log: () => log,
    close: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await relay?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
