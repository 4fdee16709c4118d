import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authorizedSource } from '../../support/authorized-source.ts';
import { closeWindows, sharedBrowser } from '../../support/browser.ts';
import { totpCode } from '../../support/dashboard-client.ts';
import { addPerson, type TestPerson } from '../../support/people.ts';
import { asOwner } from '../../support/postgres.ts';
import { startService, type TestService } from '../../support/service.ts';
import { expectAccessible, expectFitsPhone, openPage, type WatchedPage } from '../../support/watched-page.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../../../dist/main/parapet.js', import.meta.url));

let service: TestService;
let browser: Browser;
let folder: string;
let organizationId: string;
let admin: TestPerson;
/** Never steps up in the browser, since that would invalidate this copy of the cookie. */
let bystander: TestPerson;
let window: WatchedPage;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ brand: 'acme' }), sharedBrowser()]);
  folder = await mkdtemp(join(tmpdir(), 'parapet-keys-'));
  organizationId = await service.createOrganization();
  admin = await addPerson(service, organizationId, 'admin', { steppedUp: false });
  bystander = await addPerson(service, organizationId, 'admin');
  window = await openPage(browser, service, admin);
});
afterAll(async () => {
  await closeWindows(browser);
  await service?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Runs the commands that the dialog offers to copy, in the folder of the file that it offers to download. */
async function runBeside(lines: string): Promise<string> {
  // The dialog's `npx parapet` is the built program here.
  const script = lines.replace('npx parapet', `'${process.execPath}' '${program}'`);
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder });
  return stdout;
}

/** The text under the dialog's tab. */
async function linesOf(page: Page, tab: string): Promise<string> {
  await page.getByRole('tab', { name: tab }).click();
  return page.getByRole('tabpanel').locator('pre').innerText();
}

async function downloadEnvironment(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download parapet.env' }).click(),
  ]);
  const file = join(folder, download.suggestedFilename());
  await download.saveAs(file);
  // `localhost` may resolve to an address without a listener.
  const text = (await readFile(file, 'utf8')).replace('localhost', '127.0.0.1');
  await writeFile(file, text);
  return text;
}

it('creates a key after a step-up, makes its first call, and never shows it again', async () => {
  const { page } = window;
  await page.goto(`/dashboard/o/${organizationId}/settings/keys`);
  await page.getByRole('heading', { name: 'No active keys' }).waitFor();
  await expectAccessible(window, 'no keys');
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill('CI of the shop');
  await dialog.getByLabel('sources:privileged').check();
  await dialog.getByText('Privileged scope').waitFor();
  await expectAccessible(window, 'mint');
  await expectFitsPhone(window, 'mint');
  // Only a key that submits credentials can have it.
  await dialog.getByLabel('sources:write').uncheck();
  expect(await dialog.getByLabel('sources:privileged').isChecked()).toBe(false);
  await dialog.getByLabel('sources:write').check();
  await dialog.getByRole('button', { name: 'Create key' }).click();

  const stepUp = page.getByRole('dialog', { name: "Confirm it's you" });
  await stepUp.getByLabel('6-digit code').fill('000000');
  await stepUp.getByRole('button', { name: 'Continue' }).click();
  await stepUp.getByText('Incorrect or already used code').waitFor();
  await stepUp.getByLabel('6-digit code').fill(await totpCode(admin.totpSecret!));
  await stepUp.getByRole('button', { name: 'Continue' }).click();

  const shown = page.getByRole('dialog', { name: 'Save these values now' });
  await shown.waitFor();
  await expectAccessible(window, 'minted');
  await expectFitsPhone(window, 'minted');
  const environment = await downloadEnvironment(page);
  const token = /PARAPET_TOKEN=(svc_live_\w+)/.exec(environment)![1]!;
  const signingKey = /PARAPET_SIGNING_KEY=(svc_sign_[\w-]{64})/.exec(environment)![1]!;
  expect(environment).toContain('PARAPET_BRAND=acme');
  expect(await shown.locator('pre').allInnerTexts()).toEqual(expect.arrayContaining([token, signingKey]));
  const padding = await page.evaluate<string>(
    `getComputedStyle(document.querySelector('[role=tab]')).paddingLeft`,
  );
  expect(Number.parseFloat(padding), 'styles of tabs follow those of buttons').toBeGreaterThan(0);
  expect(JSON.parse(await runBeside(await linesOf(page, 'CLI')))).toMatchObject({
    findings: [],
  });
  expect(JSON.parse(await runBeside(await linesOf(page, 'curl')))).toMatchObject({
    findings: [],
  });

  expect(await shown.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await shown.getByLabel("I've saved these").check();
  await shown.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('table', { name: 'API keys' }).getByText('CI of the shop').waitFor();
  await expectAccessible(window, 'keys');
  await expectFitsPhone(window, 'keys');
  for (const secret of [token, signingKey]) {
    expect(await page.content()).not.toContain(secret);
    expect(service.log.join('\n')).not.toContain(secret);
  }
  expect(window.errors).toEqual([]);
});

it('creates a probe key for one system, which can only send events', async () => {
  const { page } = window;
  const created = await bystander.client.post(`/organizations/${organizationId}/systems`, {
    name: 'Patient portal',
    environment: 'production',
    kind: 'site',
  });
  expect(created.status).toBe(201);
  await page.reload();
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill('Probe in the clinic');
  await dialog.getByLabel('Probe key').check();
  await dialog.getByRole('combobox', { name: 'System' }).click();
  await page.getByRole('option', { name: 'Patient portal' }).click();
  // The step-up of the previous test is still valid.
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('dialog', { name: 'Save these values now' });
  await shown.waitFor();
  expect(await downloadEnvironment(page)).toContain('PARAPET_TOKEN=svc_probe_');
  for (const tab of ['CLI', 'curl']) {
    expect(JSON.parse(await runBeside(await linesOf(page, tab))), tab).toMatchObject({
      accepted: 1,
      rejected: [],
    });
  }
  await shown.getByLabel("I've saved these").check();
  await shown.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('table', { name: 'API keys' }).getByText('Probe for Patient portal').waitFor();
});

it('states the brand of the service for a forwarder of Shield', async () => {
  const source = await authorizedSource(service);
  const owner = await addPerson(service, source.organizationId, 'owner', { steppedUp: true });
  const { page } = await openPage(browser, service, owner);
  await page.goto(`/dashboard/o/${source.organizationId}/sources/${source.sourceId}`);
  await page.getByRole('button', { name: 'Turn on Shield' }).click();
  await page.getByText('brand: "acme"').waitFor();
});

it('restricts a key to the addresses entered in the dialog, and lists them', async () => {
  const { page } = window;
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill('Office');
  const addresses = dialog.getByLabel('Allowed IP addresses');
  expect(await addresses.getAttribute('placeholder')).toBe('203.0.113.0/24');
  await addresses.fill('203.0.113.7/24');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('Did you mean 203.0.113.0/24?').waitFor();
  await expectAccessible(window, 'wrong address');
  await expectFitsPhone(window, 'wrong address');
  await addresses.fill(`1.2.3.4\n${'a'.repeat(81)}`);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('must NOT have more than 80 characters').waitFor();
  await addresses.fill('203.0.113.0/24\n\n 2001:DB8::/32 ');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('dialog', { name: 'Save these values now' });
  await shown.getByLabel("I've saved these").check();
  await shown.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Office' });
  await row.getByText('Allowed addresses: 203.0.113.0/24, 2001:db8::/32').waitFor();
  const many = Array.from({ length: 50 }, (_, index) => `2001:db8:${index}:1234:5678:9abc:def0:${index}`);
  const second = await addPerson(service, organizationId, 'admin', { steppedUp: true });
  const created = await second.client.post(`/organizations/${organizationId}/keys`, {
    name: 'Fifty',
    kind: 'dashboard',
    allowed_addresses: many,
  });
  expect(created.status).toBe(201);
  await page.reload();
  const fifty = page.getByRole('row').filter({ hasText: 'Fifty' });
  await fifty.getByText('50 allowed addresses').click();
  await fifty.getByText(many[49]!).waitFor();
  await expectAccessible(window, 'allowed addresses');
  await expectFitsPhone(window, 'allowed addresses');
});

it('creates a key with the chosen scopes and expiry, and rotates it with an overlap', async () => {
  const { page } = window;
  await page.reload();
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill('Reporting');
  for (const scope of ['scans:write', 'sources:write', 'ingest', 'findings:read']) {
    await dialog.getByLabel(scope).uncheck();
  }
  await dialog.getByText('Choose at least one scope').waitFor();
  expect(await dialog.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true);
  await dialog.getByLabel('findings:read').check();
  await dialog.getByRole('combobox', { name: 'Expires in' }).click();
  await page.getByRole('option', { name: '30 days' }).click();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('dialog', { name: 'Save these values now' });
  await shown.getByLabel("I've saved these").check();
  await shown.getByRole('button', { name: 'Done' }).click();
  const rows = page.getByRole('row').filter({ hasText: 'Reporting' });
  await rows.getByText('findings:read').waitFor();

  await rows.getByRole('button', { name: 'Rotate' }).click();
  const rotating = page.getByRole('dialog', { name: 'Rotate Reporting' });
  await rotating.getByText('Both keys work until').waitFor();
  await expectAccessible(window, 'rotate');
  await expectFitsPhone(window, 'rotate');
  await rotating.getByRole('combobox', { name: 'Expire the old key in' }).click();
  await page.getByRole('option', { name: '1 day' }).click();
  await rotating.getByRole('button', { name: 'Rotate key' }).click();
  await shown.getByText(/The old key expires (in 23 hours|tomorrow|in 1 day)/).waitFor();
  await expectAccessible(window, 'rotated');
  const environment = await downloadEnvironment(page);
  await shown.getByLabel("I've saved these").check();
  await shown.getByRole('button', { name: 'Done' }).click();
  await rows.nth(1).waitFor();
  const { json } = await bystander.client.get(`/organizations/${organizationId}/keys`);
  const [next, old] = json.keys;
  expect(environment).toContain(`PARAPET_TOKEN_ID=${next.token_id}`);
  const days = (key: { expires_at: string }) => (Date.parse(key.expires_at) - Date.now()) / 86_400_000;
  expect([next, old]).toMatchObject([
    { name: 'Reporting', scopes: ['findings:read'] },
    { name: 'Reporting', scopes: ['findings:read'] },
  ]);
  expect(days(next)).toBeCloseTo(30, 1);
  expect(days(old)).toBeCloseTo(1, 1);
  expect(window.errors).toEqual([]);
});

it('moves an expiry earlier, revokes at once, and asks for a step-up again after it expired', async () => {
  const { page } = window;
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: 'Probe in the clinic' });
  await row.getByRole('button', { name: 'Change expiry' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Change expiry' }).click();
  await row.getByText(/in \d days|next week|in 1 week/).waitFor();
  await row.getByRole('button', { name: 'Revoke' }).click();
  const asked = page.getByRole('dialog', { name: 'Revoke Probe in the clinic?' });
  await asked.getByRole('button', { name: 'Revoke key' }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByLabel('Show revoked and expired keys').check();
  await row.getByText('Revoked').waitFor();

  await asOwner(service.database.connection, client =>
    client.query(`update sessions set stepped_up_at = now() - interval '301 seconds'`),
  );
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill('Second');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const stepUp = page.getByRole('dialog', { name: "Confirm it's you" });
  await stepUp.waitFor();
  // Closing the dialog creates no key.
  await stepUp.getByRole('button', { name: 'Close' }).click();
  await dialog.getByRole('alert').waitFor();
  const { json } = await bystander.client.get(`/organizations/${organizationId}/keys`);
  expect(json.keys).toHaveLength(6);
});

it('creates one key for a form that is submitted twice, even if the first response is lost', async () => {
  const { page } = window;
  const keys = async () => {
    const { rows } = await asOwner(service.database.connection, client =>
      client.query('select id from api_keys where organization_id = $1', [organizationId]),
    );
    return rows.map(({ id }) => id as string);
  };
  const before = await keys();
  await asOwner(service.database.connection, client =>
    client.query('update sessions set stepped_up_at = now()'),
  );
  await page.reload();
  const answers: { token_id: string }[] = [];
  await page.route('**/keys', async route => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch();
    answers.push(await response.json());
    await (answers.length === 1 ? route.abort('connectionreset') : route.fulfill({ response }));
  });
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill('Once');
  const submitTwice = () =>
    dialog.locator('form').evaluate(element => {
      const form = element as unknown as { requestSubmit(): void };
      form.requestSubmit();
      form.requestSubmit();
    });
  await submitTwice();
  await dialog.getByText("Can't reach the service").waitFor();
  await submitTwice();
  const shown = page.getByRole('dialog', { name: 'Save these values now' });
  await shown.waitFor();
  await page.unroute('**/keys');
  expect(answers.length, 'requests for two pairs of submissions').toBe(2);
  expect(answers[1]).toEqual(answers[0]);
  expect((await keys()).filter(id => !before.includes(id))).toEqual([answers[0]!.token_id]);
  await shown.getByLabel("I've saved these").check();
  await shown.getByRole('button', { name: 'Done' }).click();
});
