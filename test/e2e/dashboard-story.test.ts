import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type SampleSite, startSampleSite } from '../../src/main/sample-site/sample-site.ts';
import { closeWindows, sharedBrowser } from '../support/browser.ts';
import { totpCode } from '../support/dashboard-client.ts';
import { poll } from '../support/poll.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { call } from '../support/signing-client.ts';
import { unzip } from '../support/unzip.ts';
import { addAuthenticator, openPage, type WatchedPage } from '../support/watched-page.ts';
import { httpServer } from '../support/website.ts';

/** The product as shipped, its worker, a site with flaws, and people with real browsers. */
let database: TestDatabase;
let service: ServingProcess;
let site: SampleSite;
let browser: Browser;
beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  [service, site, browser] = await Promise.all([
    ServingProcess.serve({
      DATABASE_URL: database.url,
      PARAPET_MASTER_KEY: randomBytes(32).toString('base64'),
      PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8,::1/128',
    }),
    startSampleSite(),
    sharedBrowser(),
  ]);
});
afterAll(async () => {
  await closeWindows(browser);
  await service?.kill('SIGTERM');
  await site?.close();
  await database?.drop();
});

const sql = (text: string, values: unknown[] = []) =>
  asOwner(database.connection, async client => (await client.query(text, values)).rows);
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const go = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
const choosePassword = (page: Page) =>
  page.locator('input[autocomplete=new-password]').fill('lantern orbit cactus 71');

/** Sets up the person's authenticator app; returns its secret. */
async function enrol(page: Page, inside = true): Promise<string> {
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  const secret = (await page.locator('pre').innerText()).replaceAll(' ', '');
  await page.getByLabel('6-digit code').fill(await totpCode(secret));
  await button(page, 'Turn on').click();
  await page.getByLabel("I've saved these codes").check();
  await button(page, 'Continue').click();
  if (inside) await page.getByRole('navigation', { name: 'Main' }).waitFor();
  return secret;
}

async function setUp({ page }: WatchedPage): Promise<string> {
  const link = await poll('the set-up link', async () =>
    service.log.find(line => line.includes('/dashboard/set-up#token='))?.trim(),
  );
  await page.goto(link);
  await page.getByLabel('Organization').fill('Harbor View Clinic');
  await page.getByLabel('Your name').fill('Ada Berg');
  await page.getByLabel('Email').fill('ada@example.org');
  await choosePassword(page);
  await button(page, 'Continue').click();
  return enrol(page);
}

/** Expires all step-ups. */
const letStepUpsExpire = () =>
  sql("update sessions set stepped_up_at = now() - interval '6 minutes' where stepped_up_at is not null");

async function addPasskey({ page }: WatchedPage, secret: string): Promise<void> {
  await letStepUpsExpire();
  await go(page, 'Security');
  await button(page, 'Add passkey').click();
  const dialog = page.getByRole('dialog', { name: 'Add passkey' });
  await dialog.getByLabel('Passkey name').fill('Laptop');
  await dialog.getByRole('button', { name: 'Add passkey' }).click();
  const stepUp = page.getByRole('dialog', { name: "Confirm it's you" });
  await stepUp.getByLabel('6-digit code').fill(await totpCode(secret, 1));
  await stepUp.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('list', { name: 'Passkeys' }).getByText('Laptop').waitFor();
}

async function invite({ page }: WatchedPage, email: string, role: 'Admin' | 'Member'): Promise<string> {
  await go(page, 'People');
  await button(page, 'Invite people').click();
  const dialog = page.getByRole('dialog', { name: 'Invite people' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel(role).check();
  await dialog.getByRole('button', { name: 'Create invitation link' }).click();
  const link = await dialog.locator('pre').innerText();
  await dialog.getByRole('button', { name: 'Done' }).click();
  return link;
}

async function join({ page }: WatchedPage, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Your name').fill(name);
  await choosePassword(page);
  await button(page, /^Create account/).click();
}

/** The role requires a second factor before the invitation is accepted. */
async function enrolAndJoin({ page }: WatchedPage): Promise<void> {
  await button(page, 'Set up a second factor').click();
  await enrol(page, false);
  await button(page, 'Join Harbor View Clinic').click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}

/** From an empty organization to a scan with its verdict. */
async function scanWebsite({ page }: WatchedPage): Promise<void> {
  await go(page, 'Systems');
  await button(page, 'Add system').first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Patient portal');
  await page.getByRole('dialog').getByRole('button', { name: 'Add system' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await go(page, 'Sources');
  await page.getByRole('link', { name: 'Add source' }).first().click();
  // Its dropdown is searched by name, and may still be open.
  await page.getByRole('textbox', { name: 'Name' }).fill('Portal website');
  await page.getByLabel('Domain or URL').fill(site.host);
  await button(page, 'Continue').click();
  expect(await button(page, 'Accept risk').isDisabled(), 'before it was read').toBe(true);
  await page.getByLabel("I'm authorized to approve this").check();
  await button(page, 'Accept risk').click();
  await button(page, 'Skip: no login needed').click();
  await button(page, 'Test connection').first().click();
  await button(page, 'Authorize scans').click();
  await button(page, 'Run first scan').click();
  await page.getByRole('link', { name: 'View scan' }).click();
  await page.getByText('Fail', { exact: true }).waitFor({ timeout: 60_000 });
}

async function mintKey({
  page,
}: WatchedPage): Promise<{ token: string; token_id: string; signing_key: string }> {
  await go(page, 'API keys');
  await button(page, 'Create key').first().click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill('CI');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  // The step-up for the passkey has expired.
  await button(page, 'Use a passkey').click();
  const shown = page.getByRole('dialog', { name: 'Save these values now' });
  await shown.waitFor();
  const texts = (await shown.locator('pre').allInnerTexts()).join('\n');
  await shown.getByLabel("I've saved these").check();
  await shown.getByRole('button', { name: 'Done' }).click();
  const value = (form: RegExp) => form.exec(texts)![0];
  return {
    token: value(/svc_live_\w+/),
    token_id: value(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/),
    signing_key: value(/svc_sign_[\w-]{64}/),
  };
}

async function triage({ page }: WatchedPage): Promise<void> {
  await go(page, 'Findings');
  await page.getByRole('table').getByText('A file with secrets can be downloaded').first().click();
  const drawer = page.getByRole('dialog', { name: 'Finding' });
  await drawer.getByRole('button', { name: 'False positive…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark finding as false positive' });
  await dialog.getByLabel('Reason').fill('It holds placeholders only.');
  await dialog.getByRole('button', { name: 'Mark finding as false positive' }).click();
  await dialog.waitFor({ state: 'detached' });
  await drawer.getByText('It holds placeholders only.').waitFor();
  await page.keyboard.press('Escape');
}

async function downloadAuditPack({ page }: WatchedPage): Promise<string[]> {
  await go(page, 'Evidence');
  await button(page, /audit pack/i)
    .first()
    .click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download audit pack' }).click(),
  ]);
  const bytes = await readFile(await download.path());
  return [...(await unzip(bytes)).keys()];
}

it('leads from the set-up link to an audit pack, and refuses people without permission', {
  timeout: 480_000,
}, async () => {
  const owner = await openPage(browser, service);
  await addAuthenticator(owner);
  const secret = await setUp(owner);
  const organizationId = /\/o\/([0-9a-f-]{36})/.exec(owner.page.url())![1]!;
  await addPasskey(owner, secret);

  const admin = await openPage(browser, service);
  await join(admin, await invite(owner, 'ben@example.org', 'Admin'), 'Ben Ito');
  await enrolAndJoin(admin);
  await scanWebsite(admin);

  await letStepUpsExpire();
  const key = await mintKey(owner);
  const answer = await call(service.url, key, 'GET', '/api/v1/findings?severity=critical');
  expect(answer.status).toBe(200);
  expect(answer.json.findings.length).toBeGreaterThan(0);

  await sql('update sessions set stepped_up_at = now() where stepped_up_at is not null');
  await triage(admin);
  expect(
    (await call(service.url, key, 'GET', '/api/v1/findings?status=false_positive')).json.findings,
  ).toHaveLength(1);
  const names = await downloadAuditPack(admin);
  expect(names).toEqual(
    expect.arrayContaining([expect.stringMatching(/\.pdf$/), expect.stringMatching(/SHA256SUMS$/)]),
  );
  expect([...owner.errors, ...admin.errors]).toEqual([]);

  // A member neither sees the page nor reaches its API.
  const member = await openPage(browser, service);
  await join(member, await invite(owner, 'mia@example.org', 'Member'), 'Mia');
  await member.page.getByRole('navigation', { name: 'Main' }).waitFor();
  expect(await member.page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
  expect(await mintFrom(member.page, organizationId)).toBe(403);
  await letStepUpsExpire();
  // Neither can an admin whose session has not stepped up.
  expect(await mintFrom(admin.page, organizationId)).toBe(403);
  // Another organization's URL looks like one that does not exist.
  await member.page.goto('/dashboard/o/00000000-0000-4000-8000-000000000000/findings');
  await member.page.getByRole('heading', { name: 'Page not found' }).waitFor();

  await sql('update sessions set stepped_up_at = now() where stepped_up_at is not null');
  // An expired invitation.
  const late = await invite(owner, 'late@example.org', 'Member');
  await sql(
    "update invitations set expires_at = now() - interval '1 second' where email = 'late@example.org'",
  );
  const visitor = await openPage(browser, service);
  await visitor.page.goto(late);
  await visitor.page.getByText("This link doesn't work").waitFor();

  await refuseOtherSites(owner, organizationId);
  const [chain] = await sql(`select count(*)::int as minted from ${recordedEntries} where action = $1`, [
    'key.minted',
  ]);
  expect(chain!.minted).toBe(1);
});

/** The response to a script in the person's page that tries to create a key. */
function mintFrom(page: Page, organizationId: string): Promise<number> {
  return page.evaluate(`(async () => {
    const session = await (await fetch('/dashboard/api/session')).json();
    const answer = await fetch('/dashboard/api/organizations/${organizationId}/keys', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': session.csrf_token },
      body: JSON.stringify({ name: 'Mine', kind: 'dashboard' }),
    });
    return answer.status;
  })()`);
}

/** A page of another site, which the owner opens in the same browser, sends a request and a form as the owner. */
async function refuseOtherSites({ context }: WatchedPage, organizationId: string): Promise<void> {
  const target = `${service.url.replace('127.0.0.1', 'localhost')}/dashboard/api/organizations/${organizationId}/keys`;
  const body = JSON.stringify({ name: 'Evil', kind: 'dashboard' });
  const form = `<form action="${target}" method="post" enctype="text/plain"><button>Win</button></form>`;
  const evil = await httpServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Win</title>${form}`),
  );
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(`http://127.0.0.1:${evil.port}/`);
  const sent = `fetch('${target}', { method: 'POST', mode: 'no-cors', credentials: 'include', body: '${body}' })`;
  // Its page cannot even read the refusal.
  expect(await page.evaluate(`${sent}.then(answer => answer.type, () => 'failed')`)).toBe('failed');
  const [posted] = await Promise.all([
    page.waitForResponse(response => response.url() === target),
    button(page, 'Win').click(),
  ]);
  expect(posted.status()).toBe(403);
  await evil.close();
}
