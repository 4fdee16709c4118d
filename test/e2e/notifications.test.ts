import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SampleSite, startSampleSite } from '../../src/main/sample-site/sample-site.ts';
import { closeWindows, sharedBrowser } from '../support/browser.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.ts';
import { environmentOf } from '../support/parapet-process.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { call } from '../support/signing-client.ts';
import { expectAccessible, expectFitsPhone, openPage, type WatchedPage } from '../support/watched-page.ts';
import { httpServer, type TestServer } from '../support/website.ts';

/** The worker as shipped, a real mail server, a webhook, a site with flaws, and people with real browsers. */
let service: TestService;
let worker: ServingProcess;
let mails: MailServer;
let chat: TestServer;
let site: SampleSite;
let browser: Browser;
let organizationId: string;
let admin: TestPerson;
let window: WatchedPage;
const posts: string[] = [];
beforeAll(async () => {
  mails = await startMailServer();
  [service, site, browser, chat] = await Promise.all([
    startService(),
    startSampleSite(),
    sharedBrowser(),
    httpServer((request, response) => {
      request.setEncoding('utf8').on('data', part => posts.push(part));
      request.on('end', () => response.end('ok'));
    }),
  ]);
  worker = await ServingProcess.serve(
    {
      ...(await environmentOf(service)),
      PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8,::1/128',
      PARAPET_WEBHOOK_ALLOWLIST: '127.0.0.0/8',
      PARAPET_PUBLIC_URL: service.url,
      PARAPET_SMTP_URL: mails.url,
      PARAPET_MAIL_FROM: 'Parapet <parapet@example.com>',
      PARAPET_MANAGEMENT_PORT: 'off',
    },
    ['--role', 'worker'],
  );
  organizationId = await service.createOrganization();
  admin = await addPerson(service, organizationId, 'admin');
  window = await openPage(browser, service, admin);
});
afterAll(async () => {
  await closeWindows(browser);
  await worker?.kill('SIGTERM');
  await Promise.all([site?.close(), chat?.close(), mails?.[Symbol.asyncDispose]()]);
  await service?.close();
});

const sql = async (text: string, values: unknown[] = []) =>
  (await asOwner(service.database.connection, client => client.query(text, values))).rows;

/** The next mail with this in its subject. */
async function mailAbout(words: string): Promise<ReceivedMail> {
  for (;;) {
    const mail = await mails.next();
    if (mail.subject.includes(words)) return mail;
  }
}

/** Opens a link of a mail. The browser knows this machine by its name. */
const follow = (page: Page, url: string | undefined) => page.goto(url!.replace('127.0.0.1', 'localhost'));

it('confirms the address with a code, and saves what to send', async () => {
  const { page } = window;
  await page.goto(`/dashboard/o/${organizationId}/settings/notifications`);
  await page.getByText('Not confirmed').waitFor();
  await expectAccessible(window, 'notifications before confirmation');
  await page.getByRole('button', { name: 'Send confirmation code' }).click();
  const { subject, to } = await mailAbout('confirmation code');
  expect(to).toBe(admin.email);
  const code = /^\d{6}/.exec(subject)![0];
  await page.getByText('Code: sent.').waitFor();
  const wrong = code === '000000' ? '000001' : '000000';
  await page.getByLabel('Confirmation code').fill(wrong);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.getByText('Incorrect or expired code').waitFor();
  await page.getByLabel('Confirmation code').fill(code);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.getByText('Confirmed', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Send test message' }).click();
  await mailAbout('Test message');
  await page.getByRole('status').filter({ hasText: 'Sent' }).first().waitFor();

  await page.getByRole('button', { name: 'Preview alert' }).click();
  const preview = page.getByRole('dialog', { name: 'Preview of an alert' });
  await preview.getByText('Example: a private file is public').first().waitFor();
  await expectAccessible(window, 'preview');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Turn on notifications' }).click();
  await page.getByText('Notification settings saved').waitFor();
  await page.getByText(/Next summary/).waitFor();
  // Below the header, the checkboxes would seem to be small.
  await page.evaluate('scrollTo(0, 0)');
  await expectAccessible(window, 'notifications');
  await expectFitsPhone(window, 'notifications');
});

it('adds a chat channel and tests it', async () => {
  const { page } = window;
  await page.goto(`/dashboard/o/${organizationId}/settings/channels`);
  await page.getByRole('heading', { name: 'No channels yet' }).waitFor();
  await page.getByRole('button', { name: 'Add channel' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add channel' });
  await dialog.getByLabel('Name').fill('#security');
  await dialog.getByLabel('Webhook URL').fill('not a url:');
  await expectAccessible(window, 'add channel');
  await dialog.getByLabel('Webhook URL').fill(`http://127.0.0.1:${chat.port}/services/T0/secret`);
  await dialog.getByRole('button', { name: 'Add channel' }).click();
  await page.getByRole('cell', { name: '#security' }).waitFor();
  expect(await page.content()).not.toContain('T0/secret');
  await page.getByRole('button', { name: 'Send test message' }).click();
  await page.getByRole('status').filter({ hasText: 'Sent' }).waitFor();
  expect(posts.join('')).toContain('Test message from Parapet');
  await expectAccessible(window, 'channels');
  await expectFitsPhone(window, 'channels');
});

it('tells of a critical finding by mail and chat, with a link that opens it', async () => {
  const key = await service.mint(organizationId);
  const post = async (path: string, body: object) => (await call(service.url, key, 'POST', path, body)).json;
  const { system } = await post('/api/v1/systems', { name: 'Shop', environment: 'test', kind: 'site' });
  const { source } = await post('/api/v1/sources', {
    ...{ system_id: system.id, name: 'Storefront', kind: 'website' },
    host: site.url.replace(/^https?:\/\//, ''),
  });
  await post(`/api/v1/sources/${source.id}/risk-accept`, {});
  await post(`/api/v1/sources/${source.id}/authorize-scan`, {});
  posts.length = 0;
  await post('/api/v1/scans', { source_id: source.id, idempotency_key: randomUUID() });
  const mail = await mailAbout('new findings on Storefront');
  expect(mail.subject).toMatch(/\d+ new findings on Storefront: .*high/);
  await poll('the chat message', () => posts.join('').includes('new findings on Storefront') || undefined);

  const { page } = window;
  await page.goto(`/dashboard/o/${organizationId}/scans`);
  await page.getByRole('link', { name: 'Storefront' }).click();
  const found = page.getByRole('region', { name: 'Findings' });
  await found.getByRole('list', { name: 'New' }).getByRole('listitem').first().waitFor();
  await expectAccessible(window, 'scan with findings');
  await expectFitsPhone(window, 'scan with findings');
  await follow(page, /http\S+\/dashboard\/findings\/\S+/.exec(mail.text)?.[0]);
  await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).waitFor();
});

it('reports in the summary what was resolved', async () => {
  await sql(`update finding_episodes set closed_at = now() where finding_id = (
    select id from findings order by severity_rank desc, id limit 1)`);
  await sql(
    'update findings set observed = false where id = (select id from findings order by severity_rank desc, id limit 1)',
  );
  await sql(`update notification_settings set next_digest_at = now() - interval '1 second'`);
  const digest = await mailAbout('1 resolved');
  expect(digest.text).toMatch(/^Resolved$/m);
  expect(digest.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');

  const { page } = window;
  await follow(page, /Unsubscribe: (\S+)/.exec(digest.text)?.[1]);
  await page.getByRole('button', { name: 'Unsubscribe' }).waitFor();
  await expectAccessible(window, 'unsubscribe');
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await page.getByText(`${admin.email} gets no more notifications about Test.`).waitFor();
  expect(await sql('select kinds, digest from notification_settings')).toEqual([
    { kinds: [], digest: 'none' },
  ]);
});

it('unsubscribes by one click of a mail program', async () => {
  const [, url] = /<(.+)>/.exec(mails.received.at(-1)!.header('List-Unsubscribe')!)!;
  await sql(`update notification_settings set kinds = '{new_findings}'`);
  const press = (token: string) =>
    fetch(token, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
  expect((await press(`${url!.slice(0, -1)}${url!.endsWith('A') ? 'B' : 'A'}`)).status).toBe(400);
  expect(await sql('select kinds from notification_settings')).toEqual([{ kinds: ['new_findings'] }]);
  expect((await fetch(url!)).status, 'a link scanner opens it').toBe(404);
  expect((await press(url!)).status).toBe(200);
  expect(await sql('select kinds from notification_settings')).toEqual([{ kinds: [] }]);
});
