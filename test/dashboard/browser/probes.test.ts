import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest';
import { closeWindows, sharedBrowser } from '../../support/browser.ts';
import { testAuthority } from '../../support/certificates.ts';
import { totpCode } from '../../support/dashboard-client.ts';
import { addPerson, type TestPerson } from '../../support/people.ts';
import { asOwner } from '../../support/postgres.ts';
import { type DatabaseServer, startPostgresServer } from '../../support/postgres-server.ts';
import { eventOf, path as ingest } from '../../support/probe-events.ts';
import { builtProbe } from '../../support/probe-process.ts';
import { startService, type TestService } from '../../support/service.ts';
import { ServingProcess } from '../../support/serving-process.ts';
import { call } from '../../support/signing-client.ts';
import { expectAccessible, expectFitsPhone, openPage, type WatchedPage } from '../../support/watched-page.ts';

const password = `p4ssword${randomBytes(12).toString('hex')}`;

let service: TestService;
let browser: Browser;
let database: DatabaseServer;
let worker: ServingProcess;
let organizationId: string;
let person: TestPerson;
/** Never steps up in the browser, since that would invalidate this copy of the cookie. */
let bystander: TestPerson;
let window: WatchedPage;
/** Of the commands that the page shows: its folders are here. */
let folder: string;
let shell: ChildProcess | undefined;
const at = (path: string) => `/dashboard/o/${organizationId}/${path}`;

beforeAll(async () => {
  const { chain, key } = testAuthority().issue();
  [service, browser, database] = await Promise.all([
    startService(),
    sharedBrowser(),
    startPostgresServer({ chain, key }, [
      `create role parapet_reader login password '${password}'`,
      'grant pg_monitor to parapet_reader',
      'create table patients (id int primary key, name text)',
      'grant all on patients to public',
    ]),
  ]);
  worker = await ServingProcess.work(service.database.url);
  organizationId = await service.createOrganization();
  person = await addPerson(service, organizationId, 'admin', { steppedUp: false });
  bystander = await addPerson(service, organizationId, 'admin');
  window = await openPage(browser, service, person);
  folder = mkdtempSync(join(tmpdir(), 'parapet-probe-'));
  writeFileSync(
    join(folder, 'parapet-probe'),
    `#!/bin/sh\nexec '${process.execPath}' '${builtProbe}' "$@"\n`,
    {
      mode: 0o755,
    },
  );
});
afterAll(async () => {
  if (shell?.exitCode === null) process.kill(-shell.pid!, 'SIGTERM');
  await closeWindows(browser);
  await worker?.kill('SIGTERM');
  await database?.close();
  await service?.close();
});

/** Runs commands of the page as they are, except for their folders, and for the name of this machine. */
function runBlock(block: string, output: string[]): ChildProcess {
  const script = block
    .replace('dir=/etc/parapet', `dir='${folder}/etc'`)
    .replace('spool=/var/lib/parapet-probe', `spool='${folder}/spool'`)
    // It may resolve to an address without a listener.
    .replace('//localhost:', '//127.0.0.1:');
  const child = spawn('bash', ['-c', script], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}`, PROBE_ORDERS_PASSWORD: password },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own group, so that the probe ends with the shell.
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => void output.push(String(chunk)));
  return child;
}

/** Whether a process of its group runs. */
function isRunning({ pid }: ChildProcess): boolean {
  try {
    return process.kill(-pid!, 0);
  } catch {
    return false;
  }
}

async function confirmIdentity(): Promise<void> {
  const stepUp = window.page.getByRole('dialog', { name: "Confirm it's you" });
  await stepUp.getByLabel('6-digit code').fill(await totpCode(person.totpSecret!));
  await stepUp.getByRole('button', { name: 'Continue' }).click();
}

it('takes an empty system to the first findings of a probe', async () => {
  const { page } = window;
  const output: string[] = [];
  onTestFailed(async () => console.error(output.join(''), await page.innerText('body')));
  await page.goto(at('overview'));
  await page.getByText('Is it in a network that this service cannot reach?').waitFor();
  await page.getByRole('link', { name: 'Add a probe' }).waitFor();
  await page.goto(at('probes'));
  await page.getByRole('heading', { name: 'No probes yet' }).waitFor();
  await expectAccessible(window, 'no probes');
  await expectFitsPhone(window, 'no probes');
  await page.getByRole('link', { name: 'Add a probe' }).first().click();
  await page.getByRole('heading', { name: 'Add a system first' }).waitFor();
  await expectAccessible(window, 'no system for a probe');

  await page.goto(at('systems?add=yes'));
  const dialog = page.getByRole('dialog', { name: 'Add system' });
  await dialog.getByLabel('Name').fill('Clinic "one" $(id)');
  await dialog.getByRole('button', { name: 'Add system' }).click();
  await confirmIdentity();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Add a probe' }).click();

  await page.getByLabel('Name of the probe').fill('Office');
  const target = page.getByRole('group', { name: 'New target' });
  await target.getByLabel('Host and port').fill('postgres://db');
  await target.getByLabel('Display name').fill('Orders');
  const named = page.getByRole('group', { name: 'Orders' });
  const add = page.getByRole('button', { name: 'Add probe' });
  expect(await add.isDisabled()).toBe(true);
  const approval = page.getByLabel("I'm authorized to approve this");
  await approval.check();
  // A statement that was not shown then is not approved.
  await page.getByRole('button', { name: 'Add a target' }).click();
  expect(await approval.isChecked()).toBe(true);
  const other = page.getByRole('group', { name: 'New target' });
  await other.getByLabel('Type').click();
  await page.getByRole('option', { name: 'Website' }).click();
  expect(await approval.isChecked()).toBe(false);
  await other.getByRole('button', { name: 'Remove' }).click();
  await approval.check();
  await add.click();
  await page.getByText('Must be lowercase letters, digits').waitFor();
  const focused = () => page.locator(':focus').getAttribute('value');
  await expect.poll(focused).toBe('Office');
  await page.getByLabel('Name of the probe').fill('office');
  expect(await page.getByText('Must be lowercase letters, digits').count()).toBe(0);
  await add.click();
  await named.getByText('Must be a host name or IP address').waitFor();
  await expect.poll(focused).toBe('postgres://db');
  await named.getByLabel('Host and port').fill(`127.0.0.1:${database.port}`);
  await named.getByLabel('Require TLS').uncheck();
  await named.getByText('unencrypted').waitFor();
  await expectAccessible(window, 'new probe');
  await expectFitsPhone(window, 'new probe');
  await add.click();

  await page.getByText('Waiting for the first heartbeat of office').waitFor();
  await page.getByText('PROBE_ORDERS_PASSWORD: the password of parapet_reader').waitFor();
  await page.getByText("export PROBE_ORDERS_PASSWORD='…'").waitFor();
  await expectAccessible(window, 'added probe');
  await expectFitsPhone(window, 'added probe');
  await page.getByText('If that user is not root, change the lines').waitFor();
  await page.getByText('If the certificate of a target is from a private CA').waitFor();
  const block = await page.locator('pre').innerText();
  expect(block).not.toContain(password);
  shell = runBlock(block, output);
  await page.getByText('office reports').waitFor({ timeout: 60_000 });
  const first = page.getByRole('list', { name: 'Findings' }).getByRole('listitem').first();
  await first.waitFor({ timeout: 60_000 });
  await expectAccessible(window, 'first findings');
  await expectFitsPhone(window, 'first findings');
  expect(statSync(join(folder, 'etc', 'probe-key.json')).mode & 0o777).toBe(0o600);
  const token = /svc_probe_\w+/.exec(block)![0];
  expect(service.log.join('\n')).not.toContain(token);

  // The source shows the probe and its report, and nothing that connects to it.
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await page.getByRole('region', { name: 'Probe' }).getByText('Last assessed').waitFor();
  await page.getByRole('region', { name: 'What changed' }).getByText('No change has been reported').waitFor();
  expect(await page.getByRole('button', { name: /credential|Run scan|Watch|Test connection/ }).count()).toBe(
    0,
  );
  await expectAccessible(window, 'source in probe mode');
  await expectFitsPhone(window, 'source in probe mode');
  expect(await page.content()).not.toContain(token);
});

it('shows what the probe reports, and rotates its key without a gap', async () => {
  const { page } = window;
  await page.goto(at('probes'));
  await page.getByRole('table', { name: 'Probes' }).getByText('Reporting').waitFor();
  await expectAccessible(window, 'probes');
  await expectFitsPhone(window, 'probes');
  await page.getByRole('link', { name: /^office/ }).click();
  await page.getByRole('table', { name: 'Targets' }).getByText('Orders').waitFor();
  // It may run from cron, and have ended.
  await page.getByText('Last started').waitFor();
  await page.getByRole('button', { name: 'Rotate key' }).click();
  await page.getByText('Waiting for a report of office with the new key').waitFor();
  await page.getByText('systemctl restart parapet-probe').waitFor();
  await expectAccessible(window, 'key in rotation');
  await expectFitsPhone(window, 'key in rotation');
  const file = join(folder, 'etc', 'probe-key.json');
  const before = JSON.parse(readFileSync(file, 'utf8'));
  const replaced = runBlock(await page.locator('pre').innerText(), []);
  await new Promise(resolve => replaced.once('exit', resolve));
  expect(JSON.parse(readFileSync(file, 'utf8')).token_id).not.toBe(before.token_id);
  // Assesses again, which reports with the new key before the next heartbeat is due.
  process.kill(-shell!.pid!, 'SIGHUP');
  await page.getByText('office uses the new key').waitFor();
  await page.goto(at('settings/keys'));
  const used = JSON.parse(readFileSync(file, 'utf8')).token_id;
  await page.getByRole('row').filter({ hasText: used }).getByRole('button', { name: 'Revoke' }).click();
  const asked = page.getByRole('dialog', { name: 'Revoke Probe office?' });
  await asked.getByText('In use by the probe office').waitFor();
  await expectAccessible(window, 'revoking a key that is used');
  await asked.getByRole('button', { name: 'Cancel' }).click();
  // The older key is named for as long as it works.
  await page.goto(at('probes'));
  await page.getByRole('link', { name: /^office/ }).click();
  await page.getByText('An older key of office still works').waitFor();
  await expectAccessible(window, 'probe with an older key');
  await expectFitsPhone(window, 'probe with an older key');
  await page.getByRole('button', { name: 'Revoke old key' }).click();
  const revoking = page.getByRole('dialog', { name: 'Revoke the old key of office?' });
  await revoking.getByText("can't be undone").waitFor();
  await expectAccessible(window, 'revoking an older key');
  await expectFitsPhone(window, 'revoking an older key');
  await revoking.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('Old key revoked').waitFor();
  await page.getByText('An older key of office still works').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Rotate key' }).waitFor();
  await expectAccessible(window, 'probe');
  await expectFitsPhone(window, 'probe');
  const { json } = await bystander.client.get(`/organizations/${organizationId}/keys?status=active`);
  expect(json.keys).toHaveLength(1);
});

it('lists what a probe saw, adopts a database, and leads it to a probe', async () => {
  const { page } = window;
  onTestFailed(async () => console.error(await page.innerText('body')));
  const { json } = await bystander.client.get(`/organizations/${organizationId}/probes`);
  const systemId = json.probes[0].system.id;
  const key = await service.mint(organizationId, { kind: 'probe', systemId });
  const hosts = ['10.0.0.5', '10.0.0.6'];
  const seen = hosts.map(host => ({ kind: 'mysql', host, via: 'listening_socket' }));
  const event = { ...eventOf('probe.inventory', { seen }), id: randomUUID() };
  expect((await call(service.url, key, 'POST', ingest, { events: [event] })).status).toBe(202);
  await page.goto(at('systems'));
  await expect
    .poll(
      async () => {
        await page.reload();
        await page.getByRole('table', { name: 'Systems' }).waitFor();
        await page.waitForLoadState('networkidle');
        return page.getByText('10.0.0.6').count();
      },
      { timeout: 20_000 },
    )
    .toBe(1);
  await expectAccessible(window, 'inventory');
  await expectFitsPhone(window, 'inventory');
  await page
    .getByRole('row')
    .filter({ hasText: '10.0.0.6' })
    .getByRole('button', { name: 'Dismiss' })
    .click();
  await page.getByText('10.0.0.6 dismissed').waitFor();
  await page.getByRole('row').filter({ hasText: '10.0.0.5' }).getByRole('button', { name: 'Adopt' }).click();
  await page.getByRole('heading', { level: 1, name: '10.0.0.5' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Add a probe' }).first().waitFor();
  expect(await page.getByText('Add a probe (done)').count()).toBe(0);
  await page.getByLabel("I'm authorized to approve this").check();
  await page.getByRole('button', { name: 'Accept risk' }).click();
  await page.getByRole('button', { name: 'Authorize scans' }).click();
  await page.getByText('This step is done when').waitFor();
  await page.getByText('set PROBE_10_0_0_5_PASSWORD in its environment, and restart it').waitFor();
  await expectAccessible(window, 'source without a probe');
  await expectFitsPhone(window, 'source without a probe');
  await page.getByRole('link', { name: 'Add a probe' }).click();
  await page.getByRole('group', { name: '10.0.0.5' }).waitFor();
  expect(await page.getByRole('checkbox', { name: '10.0.0.5' }).isChecked()).toBe(true);
});

it('says that a probe reported a scan', async () => {
  const { page } = window;
  await page.goto(at('scans'));
  const reported = /by probe office \d+\.\d+\.\d+/;
  await page
    .getByRole('link', { name: /^Orders/ })
    .filter({ hasText: reported })
    .first()
    .click();
  await page.getByRole('region', { name: 'Result' }).getByText(reported).waitFor();
  await expectAccessible(window, 'scan of a probe');
  await expectFitsPhone(window, 'scan of a probe');
});

it('names the probe and its version in the details of a control', async () => {
  const { page } = window;
  await page.goto(at(`controls?control=${encodeURIComponent('164.312(e)(2)(ii)')}`));
  const sources = page.getByRole('dialog').getByRole('region', { name: 'Sources' });
  await sources.getByText(/^Probe office \d+\.\d+\.\d+$/).waitFor();
  await expectAccessible(window, 'control assessed by a probe');
  await expectFitsPhone(window, 'control assessed by a probe');
});

it('says when a failing target is assessed again', async () => {
  const { page } = window;
  const mark = (state: string, code: string | null) =>
    asOwner(service.database.connection, client =>
      client.query('update probe_targets set state = $2, error_code = $3 where organization_id = $1', [
        organizationId,
        state,
        code,
      ]),
    );
  await mark('failing', 'auth_failed');
  await page.goto(at('probes'));
  await page.getByRole('link', { name: /^office/ }).click();
  const targets = page.getByRole('table', { name: 'Targets' });
  await targets.getByText(/The probe tries again in \d+ minutes, or at once when you restart it/).waitFor();
  await targets.getByText(/^Last attempt/).waitFor();
  await targets.getByRole('link', { name: /^Orders/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await page.getByRole('region', { name: 'Probe' }).getByText('Last attempt').waitFor();
  await page.getByText(/The probe tries again in \d+ minutes/).waitFor();
  await expectAccessible(window, 'failing source of a probe');
  await mark('ok', null);
});

it('claims nothing of the targets of a silent probe', async () => {
  const { page } = window;
  // Otherwise its next heartbeat would end the silence.
  process.kill(-shell!.pid!, 'SIGTERM');
  await expect.poll(() => isRunning(shell!), { timeout: 20_000 }).toBe(false);
  shell = undefined;
  const mark = (silentSince: string) =>
    asOwner(service.database.connection, client =>
      client.query(`update probes set silent_since = ${silentSince} where organization_id = $1`, [
        organizationId,
      ]),
    );
  await mark('now()');
  await page.goto(at('probes'));
  const probes = page.getByRole('table', { name: 'Probes' });
  await probes.getByRole('row', { name: /^office.*Silent 1 target/ }).waitFor();
  await page.getByRole('link', { name: /^office/ }).click();
  await page.getByRole('table', { name: 'Targets' }).getByText('Silent').waitFor();
  await page.getByText('Last started').waitFor();
  await expectAccessible(window, 'silent probe');
  await page.goto(at('sources'));
  await page.getByRole('row', { name: /^Orders.*Silent/ }).waitFor();
  await page.getByRole('link', { name: /^Orders/ }).click();
  await page.getByText('The probe is silent').waitFor();
  await page.getByRole('region', { name: 'Probe' }).getByText('Silent', { exact: true }).waitFor();
  expect(await page.getByText(/^(OK|Connected)$/).count()).toBe(0);
  await expectAccessible(window, 'source of a silent probe');
  await expectFitsPhone(window, 'source of a silent probe');
  await mark('null');
});

it('says that a running probe no longer names a source, and how to add it again', async () => {
  const { page } = window;
  const mark = (dropped: string, status: string) =>
    asOwner(service.database.connection, async client => {
      await client.query(
        `update sources set status = '${status}' where id in (select source_id from probe_targets where organization_id = $1)`,
        [organizationId],
      );
      await client.query(`update probe_targets set dropped_at = ${dropped} where organization_id = $1`, [
        organizationId,
      ]);
    });
  await mark('now()', 'pending');
  await page.goto(at('sources'));
  await page.getByRole('row', { name: /^Orders.*Its probe no longer names it/ }).waitFor();
  await page.getByRole('link', { name: /^Orders/ }).click();
  await page.getByText(/The configuration of office no longer names this source/).waitFor();
  await page.getByText('Or use a probe that runs').first().waitFor();
  expect(await page.getByText('No probe has reported yet').count()).toBe(0);
  await expectAccessible(window, 'source that its probe no longer names');
  await expectFitsPhone(window, 'source that its probe no longer names');
  await mark('null', 'connected');
});

it('shows what an event of a probe reported', async () => {
  const { page } = window;
  // A second probe, with its own key.
  const [{ system }] = (await bystander.client.get(`/organizations/${organizationId}/probes`)).json.probes;
  const key = await service.mint(organizationId, { kind: 'probe', systemId: system.id });
  const lost = { reason: 'spool_full', count: 7, from: null, to: null };
  const dropped = { ...eventOf('probe.dropped', lost), id: randomUUID() };
  dropped.probe.name = 'second';
  expect((await call(service.url, key, 'POST', ingest, { events: [dropped] })).status).toBe(202);
  const names = async () => {
    const { json } = await bystander.client.get(`/organizations/${organizationId}/probes`);
    return json.probes.map(({ name }: { name: string }) => name);
  };
  await expect.poll(names, { timeout: 20_000 }).toContain('second');
  await page.goto(at('probes'));
  await page.getByRole('link', { name: /^second/ }).click();
  await page.getByText('If another probe has reported on the same sources since').waitFor();
  await page.goto(at('events'));
  await page
    .getByRole('table', { name: 'Events' })
    .getByRole('row', { name: /^probe\.dropped.* second/ })
    .waitFor();
  await expectAccessible(window, 'events');
  await expectFitsPhone(window, 'events');
  await page.getByRole('combobox', { name: 'Probe' }).click();
  await page.getByRole('option', { name: /^office/ }).click();
  await page.waitForURL(/probe_id=/);
  const listed = (kind: string) => page.getByRole('button', { name: kind, exact: true });
  await expect.poll(() => listed('probe.dropped').count()).toBe(0);
  await listed('probe.assessment').first().waitFor();
  await page.getByRole('combobox', { name: 'Probe' }).click();
  await page.getByRole('option', { name: /^second/ }).click();
  await expect.poll(() => listed('probe.assessment').count()).toBe(0);
  await listed('probe.dropped').waitFor();
  await page.goto(at('events?kind=probe.assessment'));
  await page.getByRole('button', { name: 'probe.assessment' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'Event' });
  await drawer.getByRole('heading', { name: 'Raw event' }).waitFor();
  await drawer.getByText(/\d+ detected, \d+ passed/).waitFor();
  await expectAccessible(window, 'event');
  await expectFitsPhone(window, 'event');
  expect(await drawer.innerText()).not.toContain(password);
  expect(window.errors).toEqual([]);
});

it('removes a silent probe from the list, until it reports again', async () => {
  const { page } = window;
  const [{ system }] = (await bystander.client.get(`/organizations/${organizationId}/probes`)).json.probes;
  await asOwner(service.database.connection, client =>
    client.query("update probes set silent_since = now() where organization_id = $1 and name = 'second'", [
      organizationId,
    ]),
  );
  await page.goto(at('probes'));
  await page.getByRole('link', { name: /^second/ }).click();
  await page.getByRole('button', { name: 'Remove probe' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove second?' });
  await dialog.getByText('It is listed again if it reports again').waitFor();
  await expectAccessible(window, 'removal of a probe');
  await expectFitsPhone(window, 'removal of a probe');
  await dialog.getByRole('button', { name: 'Remove probe' }).click();
  await page.getByText('second removed').waitFor();
  const probes = page.getByRole('table', { name: 'Probes' });
  await probes.getByRole('link', { name: /^office/ }).waitFor();
  expect(await probes.getByRole('link', { name: /^second/ }).count()).toBe(0);
  const key = await service.mint(organizationId, { kind: 'probe', systemId: system.id });
  const event = { ...eventOf('probe.inventory', { seen: [] }), id: randomUUID() };
  event.probe.name = 'second';
  expect((await call(service.url, key, 'POST', ingest, { events: [event] })).status).toBe(202);
  const isListed = async () => {
    await page.reload();
    await probes.getByRole('link', { name: /^office/ }).waitFor();
    return probes.getByRole('link', { name: /^second/ }).count();
  };
  await expect.poll(isListed, { timeout: 20_000 }).toBe(1);
  expect(window.errors).toEqual([]);
});

it('says that the key of a probe was revoked or has expired, wherever its state is shown', async () => {
  const { page } = window;
  const change = (probe: string, set: string) =>
    asOwner(service.database.connection, client =>
      client.query(
        `update api_keys set ${set} where id in (select key_id from probes where organization_id = $1 and name = $2)`,
        [organizationId, probe],
      ),
    );
  await change('office', 'revoked_at = now()');
  await change('second', "created_at = now() - interval '2 days', expires_at = now() - interval '1 day'");
  await page.goto(at('probes'));
  const probes = page.getByRole('table', { name: 'Probes' });
  await probes.getByRole('row', { name: /^office.*Key revoked.*1 target/ }).waitFor();
  await probes.getByRole('row', { name: /^second.*Key expired/ }).waitFor();
  expect(await page.getByText('Reporting').count()).toBe(0);
  await page.goto(at('sources'));
  await page.getByRole('row', { name: /^Orders.*Key revoked/ }).waitFor();
  await page.goto(at('probes'));
  await probes.getByRole('row', { name: /^second.*Key expired/ }).waitFor();
  await expectAccessible(window, 'probes without valid keys');
  await expectFitsPhone(window, 'probes without valid keys');
  await page.getByRole('link', { name: /^office/ }).click();
  await page.getByText('Rotate its key, or install the new one').waitFor();
  await page.getByRole('table', { name: 'Targets' }).getByText('Key revoked').waitFor();
  await expectAccessible(window, 'probe with a revoked key');
  await expectFitsPhone(window, 'probe with a revoked key');
  await page.getByRole('button', { name: 'Rotate key' }).click();
  await page.getByText('Waiting for a report of office with the new key').waitFor();
  expect(await page.getByText('The old key still works').count()).toBe(0);
  await page
    .getByRole('table', { name: 'Targets' })
    .getByRole('link', { name: /^Orders/ })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  const section = page.getByRole('region', { name: 'Probe' });
  await section.getByText('Rotate its key, or install the new one').waitFor();
  await section.getByText('Nothing assesses this source until the probe reports again').waitFor();
  await expectAccessible(window, 'source of a probe with a revoked key');
  await expectFitsPhone(window, 'source of a probe with a revoked key');
});

it('lets members read, and add or rotate nothing', async () => {
  const member = await openPage(browser, service, await addPerson(service, organizationId, 'member'));
  await member.page.goto(at('probes'));
  await member.page.getByRole('link', { name: /^office/ }).click();
  await member.page.getByRole('table', { name: 'Targets' }).waitFor();
  expect(await member.page.getByRole('button', { name: /Rotate|Adopt|Dismiss/ }).count()).toBe(0);
  expect(await member.page.getByRole('link', { name: 'Add a probe' }).count()).toBe(0);
  await member.page.goto(at('probes/new'));
  await member.page.getByRole('heading', { name: 'Page not found' }).waitFor();
});
