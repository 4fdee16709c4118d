import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { DashboardClient, totpCode } from '../../support/dashboard-client.ts';
import { addPerson, type TestPerson } from '../../support/people.ts';
import { asOwner } from '../../support/postgres.ts';
import { startService, type TestService } from '../../support/service.ts';
import { expectAccessible, expectFitsPhone, openPage, type WatchedPage } from '../../support/watched-page.ts';

let service: TestService;
let browser: Browser;
let person: TestPerson;
beforeAll(async () => {
  [service, browser] = await Promise.all([
    startService(),
    launchBrowser(['--host-resolver-rules=MAP parapet.test 127.0.0.1']),
  ]);
});
beforeEach(async () => {
  person = await addPerson(service, await service.createOrganization(), 'member');
  // Guesses from the person's own network, until unknown browsers are delayed.
  for (let guess = 0; guess < 6; guess++) {
    await new DashboardClient(service.url).post('/sign-in', { email: person.email, password: 'a guess' });
  }
  await block();
});
const block = () =>
  asOwner(service.database.connection, client =>
    client.query(
      `update sign_in_attempts set blocked_until = now() + interval '9 minutes' where blocked_until > '-infinity'`,
    ),
  );
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

async function signIn({ page }: WatchedPage, { email, password } = person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

it('lets an unknown browser sign in with a proof of work while others guess', {
  timeout: 180_000,
}, async () => {
  const window = await openPage(browser, service);
  const { page } = window;
  const sent: string[][] = [];
  page.on('request', request => {
    if (request.url().endsWith('/sign-in') && request.method() === 'POST') {
      sent.push(Object.keys(request.postDataJSON()));
    }
  });
  await page.goto('/dashboard/sign-in');
  await signIn(window);
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ timeout: 120_000 });
  expect(sent).toEqual([
    ['email', 'password'],
    ['email', 'password', 'proof_of_work'],
  ]);
  expect(window.errors).toEqual([]);
});

it('requires a second factor too, and accepts both together, while others guess at any accounts', {
  timeout: 180_000,
}, async () => {
  const owner = await addPerson(service, await service.createOrganization(), 'owner');
  for (let guess = 0; guess < 60; guess++) {
    const body = { email: `nobody-${guess}@example.org`, password: 'a guess' };
    const answer = await new DashboardClient(service.url).post('/sign-in', body);
    if (answer.status === 429) break;
  }
  await block();
  const window = await openPage(browser, service);
  const { page } = window;
  await page.goto('/dashboard/sign-in');
  await signIn(window, owner);
  const code = page.getByLabel('6-digit code or backup code');
  await code.waitFor();
  // The browser logs the expected refusal.
  window.errors.splice(0);
  await expectAccessible(window, 'with a second factor');
  await code.fill(await totpCode(owner.totpSecret!));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ timeout: 120_000 });
  await asOwner(service.database.connection, client => client.query('delete from sign_in_attempts'));
});

it('shows how long to wait if the browser cannot compute a proof: without TLS, on another machine', async () => {
  const url = service.url.replace('127.0.0.1', 'parapet.test');
  const window = await openPage(browser, service);
  const { page } = window;
  await page.goto(`${url}/dashboard/sign-in`);
  expect(await page.evaluate('isSecureContext')).toBe(false);
  await signIn(window);
  const alert = page.getByRole('alert');
  await alert.waitFor();
  expect(await alert.innerText()).toMatch(/Try again in 9 minutes\.$/);
  // The browser logs a warning about headers on every site without TLS.
  window.errors.splice(0);
  await expectAccessible(window, 'blocked');
  await expectFitsPhone(window, 'blocked');
  expect(await page.locator('input[type=password]').inputValue()).toBe('');
});
