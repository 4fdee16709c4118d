import { connect } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { OidcProvider } from '../../../src/dashboard/sign-in/oidc.ts';
import { closeWindows, sharedBrowser } from '../../support/browser.ts';
import {
  type ProviderAccount,
  startOpenIdProvider,
  type TestProvider,
} from '../../support/openid-provider.ts';
import { addPerson, type TestPerson } from '../../support/people.ts';
import { asOwner } from '../../support/postgres.ts';
import { startService, type TestService } from '../../support/service.ts';
import { expectAccessible, expectFitsPhone, openPage, type WatchedPage } from '../../support/watched-page.ts';
import { rawServer, type TestServer } from '../../support/website.ts';

const accounts: Record<string, ProviderAccount> = {};
let provider: TestProvider;
let service: TestService;
let browser: Browser;
let relay: TestServer;
let organizationId: string;
let person: TestPerson;
let window: WatchedPage;

const sql = (text: string, values: unknown[] = []) =>
  asOwner(service.database.connection, async client => (await client.query(text, values)).rows);

beforeAll(async () => {
  // The provider needs the URL of the service before the service knows the provider.
  let target = 0;
  relay = await rawServer(socket => {
    const upstream = connect(target, '127.0.0.1');
    upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket
      .on('close', () => upstream.destroy())
      .pipe(upstream)
      .pipe(socket);
  });
  const publicUrl = `http://localhost:${relay.port}`;
  const client = {
    id: 'parapet',
    secret: 'a secret of the test suite',
    redirectUri: `${publicUrl}/dashboard/api/oidc/finish`,
  };
  provider = await startOpenIdProvider(client, accounts);
  const settings = {
    issuer: provider.issuer,
    clientId: client.id,
    clientSecret: client.secret,
    name: 'Acme ID',
  };
  const oidc = new OidcProvider(settings, client.redirectUri);
  [service, browser] = await Promise.all([startService({ publicUrl, oidc }), sharedBrowser()]);
  target = Number(new URL(service.url).port);
  organizationId = await service.createOrganization();
});
beforeEach(async () => {
  person = await addPerson(service, organizationId, 'member', { steppedUp: false });
  await sql('update people set password_hash = null, email_verified_at = now() where id = $1', [person.id]);
  await sql(
    'insert into person_identities (issuer, subject, person_id, email) values ($1, $2::text, $2::uuid, $3)',
    [provider.issuer, person.id, person.email],
  );
  accounts[person.id] = { email: person.email, email_verified: true, name: 'Grace' };
  window = await openPage(browser, { url: `http://127.0.0.1:${relay.port}` }, person);
});
afterAll(async () => {
  await closeWindows(browser);
  await service?.close();
  await relay?.close();
  await provider?.close();
});

const dialogOf = (page: Page) => page.getByRole('dialog', { name: "Confirm it's you" });

/** Renames the person, which requires a step-up, and opens the provider's window. */
async function beginRenaming(name: string): Promise<Page> {
  const { page } = window;
  await page.goto(`/dashboard/o/${organizationId}/settings/security`);
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Save name' }).click();
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    dialogOf(page).getByRole('button', { name: 'Sign in with Acme ID' }).click(),
  ]);
  return popup;
}

/** Signs in on the provider's pages. */
async function signInThere(popup: Page, subject: string): Promise<void> {
  await popup.locator('input[name=login]').fill(subject);
  await popup.locator('input[name=password]').fill('any');
  await popup.locator('button[type=submit]').click();
  const consent = popup.locator('input[name=prompt][value=consent]');
  await consent.waitFor({ state: 'attached' });
  await popup.locator('button[type=submit]').click();
}

const nameOf = async () => (await sql('select name from people where id = $1', [person.id]))[0].name;

it('continues the action after the person signed in at the provider again', async () => {
  const popup = await beginRenaming('Grace II');
  const { page } = window;
  await expectAccessible(window, 'step-up by the provider');
  await expectFitsPhone(window, 'step-up by the provider');
  const closed = popup.waitForEvent('close');
  await signInThere(popup, person.id);
  await closed;
  await page.getByText('Name saved').waitFor();
  expect(await nameOf()).toBe('Grace II');
  // With a new token, in this browser only.
  expect((await person.client.session()).state).toBe('signed_out');
  expect(window.errors).toEqual([]);
});

it('does nothing if the person cancels at the provider, closes its window, or is another person there', async () => {
  const popup = await beginRenaming('Nobody');
  const { page } = window;
  await popup.getByText('Cancel').click();
  await popup.getByRole('heading', { name: 'Sign-in not completed' }).waitFor();
  await popup.close();
  const open = async () => {
    const [next] = await Promise.all([
      page.waitForEvent('popup'),
      dialogOf(page).getByRole('button', { name: 'Sign in with Acme ID' }).click(),
    ]);
    return next;
  };
  await (await open()).close();
  accounts.somebody = { email: 'somebody@example.org', email_verified: true, name: 'S' };
  const other = await open();
  await signInThere(other, 'somebody');
  await other.getByRole('alert').waitFor();
  await other.close();
  await dialogOf(page).getByRole('button', { name: 'Close' }).click();
  await page.getByRole('alert').first().waitFor();
  expect(await nameOf()).not.toBe('Nobody');
  expect((await person.client.session()).stepped_up_until).toBeNull();
});

it('reports a blocked window', async () => {
  const { page } = window;
  await page.addInitScript('window.open = () => null');
  await page.goto(`/dashboard/o/${organizationId}/settings/security`);
  await page.getByLabel('Your name').fill('Nobody');
  await page.getByRole('button', { name: 'Save name' }).click();
  await dialogOf(page).getByRole('button', { name: 'Sign in with Acme ID' }).click();
  await dialogOf(page).getByText('Your browser blocked the sign-in window').waitFor();
  await expectAccessible(window, 'blocked window');
});

it('does not offer another person’s browser to link the account signed in there', async () => {
  const { page } = window;
  const other = await addPerson(service, organizationId, 'member', { secondFactor: false });
  accounts.other = { email: other.email, email_verified: true, name: 'Other' };
  await page.goto('/dashboard/api/oidc/begin');
  await signInThere(page, 'other');
  await page.getByRole('heading', { name: 'Another account is signed in' }).waitFor();
  await expectAccessible(window, 'another account');
  await expectFitsPhone(window, 'another account');
  await page.getByRole('button', { name: `Sign out and continue as ${other.email}` }).click();
  await page.getByRole('heading', { name: 'Link your account' }).waitFor();
  await page.getByRole('link', { name: 'Sign in to link' }).waitFor();
  expect((await person.client.session()).state).toBe('signed_out');
  expect(window.errors).toEqual([]);
});
