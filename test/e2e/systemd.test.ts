import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { startSampleSite } from '../../src/main/sample-site/sample-site.ts';
import { canTest } from '../support/can-test.ts';
import { DatabaseRelay } from '../support/database-relay.ts';
import { firstScan } from '../support/first-scan.ts';
import { poll } from '../support/poll.ts';
import { createDatabase } from '../support/postgres.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call } from '../support/signing-client.ts';
import { canBootSystemd, SystemdMachine, units } from '../support/systemd-machine.ts';
import { freePort } from '../support/website.ts';

const run = promisify(execFile);
const names = readdirSync(units).filter(name => name.endsWith('.service'));
const hasSystemd = canTest(
  existsSync('/usr/bin/systemd-analyze'),
  'systemd-analyze is not installed; the units are not checked',
);

describe.runIf(hasSystemd)('the unit', () => {
  it.each(names)('%s is valid, and exposes little to a compromised process', async name => {
    const folder = await mkdtemp(join(tmpdir(), 'parapet-test-'));
    const file = join(folder, name);
    // The programs are not installed here.
    const text = await readFile(units + name, 'utf8');
    await writeFile(file, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
    const { stdout, stderr } = await run('systemd-analyze', ['verify', file]);
    expect(stdout + stderr).toBe('');
    const rated = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', file]);
    const exposure = /Overall exposure level for \S+: (\d+\.\d) /.exec(rated.stdout)?.[1];
    expect(Number(exposure)).toBeLessThanOrEqual(1.5);
    await rm(folder, { recursive: true });
  });
});

let machine: SystemdMachine | undefined;
afterEach(async () => {
  await machine?.stop();
  machine = undefined;
});

/** Waits for the port of the unit, in the machine that it shares the network with. */
async function untilReady(port: number): Promise<void> {
  await poll('the unit is ready', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    return answer?.status === 200;
  });
}

describe.runIf(hasSystemd && canBootSystemd())('under systemd', () => {
  it('parapet.service serves with the private PostgreSQL, scans, reloads and stops', async () => {
    const [port, management] = [await freePort(), await freePort()];
    const site = await startSampleSite();
    const settings = `PORT=${port}\nPARAPET_MANAGEMENT_PORT=${management}\nPARAPET_PROCESSES=2\nPARAPET_TARGET_ALLOWLIST=127.0.0.0/8\n`;
    machine = await SystemdMachine.boot({ name: 'parapet.service', files: { 'parapet.env': settings } });
    await untilReady(management);
    // As root, like an operator of the host.
    const operate = async (...parameters: string[]) =>
      JSON.parse(
        await machine!.inside('/opt/bin/parapet', ...parameters, '--data', '/var/lib/parapet', '--json'),
      );
    const organization = await operate('organizations', 'create', '--name', 'Acme');
    const key: ClientKey = await operate('keys', 'mint', '--organization', organization.id);
    const url = `http://127.0.0.1:${port}`;
    expect(await firstScan(url, key, site.host)).toBeGreaterThan(5);
    await site.close();

    const state = async () =>
      machine!.inside('systemctl', 'show', '--property=MainPID,ActiveState,NRestarts', 'parapet.service');
    const before = await state();
    expect(before).toContain('ActiveState=active');
    const journal = () =>
      machine!.inside('journalctl', '--no-pager', '--output=cat', '--unit=parapet.service');
    await machine.inside('systemctl', 'reload', 'parapet.service');
    await poll('the processes are replaced', async () => (await journal()).includes('"restart.finished"'));
    expect((await call(url, key, 'GET', '/api/v1/systems')).status).toBe(200);
    expect(await state()).toBe(before);

    await machine.inside('systemctl', 'stop', 'parapet.service');
    expect(
      await machine.inside('systemctl', 'show', '--property=Result,ExecMainStatus', 'parapet.service'),
    ).toBe('Result=success\nExecMainStatus=0\n');
    expect(await journal()).not.toMatch(/EPERM|EACCES|"level":"(error|fatal)"|Killing process/);
  });

  it('parapet-worker.service reads its secrets from credentials', async () => {
    const database = await createDatabase(inject('postgres'));
    const relay = await DatabaseRelay.start(database.connection);
    const { user, password, database: name } = database.connection;
    const masterKey = randomBytes(32).toString('base64');
    const management = await freePort();
    // Prepares the database: a worker may start first, but here they would wait for each other.
    const env = { DATABASE_URL: database.url, PARAPET_MASTER_KEY: masterKey, PARAPET_MANAGEMENT_PORT: '0' };
    const api = await ServingProcess.serve(env, ['--role', 'api']);
    const files = {
      'parapet.env': `PARAPET_MANAGEMENT_PORT=${management}\n`,
      'database-url': `postgresql://${user}:${password}@127.0.0.1:${relay.connection.port}/${name}\n`,
      'master-key': `${masterKey}\n`,
    };
    try {
      machine = await SystemdMachine.boot({ name: 'parapet-worker.service', files });
      await untilReady(management);
      const pid = await machine.inside(
        'systemctl',
        'show',
        '--property=MainPID',
        '--value',
        'parapet-worker.service',
      );
      const environment = await machine.inside('cat', `/proc/${pid.trim()}/environ`);
      expect(environment).toContain('PARAPET_MASTER_KEY_FILE=/run/credentials/');
      expect(environment).not.toContain(masterKey);
      expect(await machine.stop()).toBe(0);
    } finally {
      await api.kill();
      await relay.close();
      await database.drop();
    }
  });
});
