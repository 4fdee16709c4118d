import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeLink } from '../../../src/resources/people/one-time-links.ts';
import { closeWindows, sharedBrowser } from '../../support/browser.ts';
import { totpCode } from '../../support/dashboard-client.ts';
import { addPasskey } from '../../support/passkey.ts';
import { addPerson, type TestPerson } from '../../support/people.ts';
import { asOwner } from '../../support/postgres.ts';
import { type SharedService, sharedService } from '../../support/service.ts';
import { expectAccessible, expectFitsPhone, openPage, type WatchedPage } from '../../support/watched-page.ts';

const newPassword = 'velvet anchor 58 marmot';

let service: SharedService;
let browser: Browser;
let organizationId: string;
let person: TestPerson;
let window: WatchedPage;
beforeAll(async () => {
  [service, browser] = await Promise.all([sharedService(), sharedBrowser()]);
  organizationId = await service.createOrganization();
});
beforeEach(async () => {
  person = await addPerson(service, organizationId, 'admin', { steppedUp: true });
  window = await openPage(browser, service, person);
});
afterAll(() => closeWindows(browser));

async function signIn({ page }: WatchedPage, password: string): Promise<void> {
  await page.goto('/dashboard/sign-in');
  await page.getByLabel('Email').fill(person.email);
  await page.locator('input[type=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

it('generates new backup codes, each of which opens the account once', async () => {
  const { page } = window;
  await page.goto(`/dashboard/o/${organizationId}/settings/security`);
  await page.getByRole('button', { name: 'Generate new codes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Generate new codes' }).click();
  const codes = page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
  await codes.first().waitFor();
  const [code] = await codes.allInnerTexts();
  await expectAccessible(window, 'new backup codes');
  await page.getByLabel("I've saved these codes").check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('10 of 10 left').waitFor();

  const elsewhere = await openPage(browser, service);
  await signIn(elsewhere, person.password);
  await elsewhere.page.getByRole('button', { name: 'Use a backup code' }).click();
  await elsewhere.page.getByLabel('Backup code').fill(code!.toLowerCase());
  await elsewhere.page.getByRole('button', { name: 'Continue' }).click();
  await elsewhere.page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.reload();
  await page.getByText('9 of 10 left').waitFor();

  const again = await openPage(browser, service);
  await signIn(again, person.password);
  await again.page.getByRole('button', { name: 'Use a backup code' }).click();
  await again.page.getByLabel('Backup code').fill(code!);
  await again.page.getByRole('button', { name: 'Continue' }).click();
  await again.page.getByText('Incorrect or already used code').waitFor();
  expect(window.errors).toEqual([]);
});

it('shows nothing of a person whose session expired to the next person', async () => {
  const next = await addPerson(service, organizationId, 'member', { secondFactor: false });
  const { page } = window;
  await addPasskey(service, person);
  await page.goto(`/dashboard/o/${organizationId}/settings/security`);
  const passkey = page.getByText('Soft', { exact: true });
  await passkey.waitFor();
  await asOwner(service.database.connection, client =>
    client.query('update sessions set ended_at = now() where person_id = $1', [person.id]),
  );
  await page.getByRole('button', { name: 'Generate new codes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Generate new codes' }).click();
  await page.getByLabel('Email').fill(next.email);
  await page.locator('input[type=password]').fill(next.password);
  // Their own response is still pending.
  await page.route('**/account/security', () => {});
  const [asked] = await Promise.all([
    page.waitForRequest('**/account/security'),
    page.getByRole('button', { name: 'Sign in', exact: true }).click(),
  ]);
  expect(new URL(asked.url()).pathname).toBe('/dashboard/api/account/security');
  await page.getByRole('heading', { name: 'Security' }).waitFor();
  expect(await passkey.count()).toBe(0);
});

it('changes the password, which ends every other session', async () => {
  const elsewhere = await openPage(browser, service);
  await signIn(elsewhere, person.password);
  await elsewhere.page.getByLabel('6-digit code').fill(await totpCode(person.totpSecret!));
  await elsewhere.page.getByRole('button', { name: 'Continue' }).click();
  await elsewhere.page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'People' })
    .click();
  await elsewhere.page.getByRole('heading', { name: 'People', level: 1 }).waitFor();

  const { page } = window;
  await page.goto(`/dashboard/o/${organizationId}/settings/security`);
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect.poll(() => sessions.count()).toBe(2);
  await page.getByRole('button', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change password' });
  await dialog.locator('input[autocomplete=current-password]').fill('something else');
  await dialog.locator('input[autocomplete=new-password]').fill(newPassword);
  await expectAccessible(window, 'change password');
  await expectFitsPhone(window, 'change password');
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await dialog.getByText('Incorrect password').waitFor();
  await dialog.locator('input[autocomplete=current-password]').fill(person.password);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => sessions.count()).toBe(1);

  // The other person finds out on the next click, and returns to the same page after signing in.
  await elsewhere.page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Security' })
    .click();
  await elsewhere.page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await elsewhere.page.getByLabel('Email').fill(person.email);
  await elsewhere.page.locator('input[type=password]').fill(newPassword);
  await elsewhere.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await elsewhere.page.getByLabel('6-digit code').fill(await totpCode(person.totpSecret!, 1));
  await elsewhere.page.getByRole('button', { name: 'Continue' }).click();
  await elsewhere.page.getByRole('heading', { name: 'Security', level: 1 }).waitFor();

  await page.reload();
  await page.getByRole('button', { name: 'End session' }).click();
  await page.getByText('Session ended').waitFor();
  await page.getByRole('button', { name: 'End session' }).waitFor({ state: 'detached' });
});

it('continues in one tab when the same person signed in again in another', async () => {
  const { page, context } = window;
  await page.goto(`/dashboard/o/${organizationId}/settings/security`);
  await page.getByLabel('Your name').fill('Ada Berg-Ito');
  const other = await context.newPage();
  await other.goto(`/dashboard/o/${organizationId}/settings/security`);
  await other.getByRole('button', { name: 'Signed in as A admin' }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await other.getByLabel('Email').fill(person.email);
  await other.locator('input[type=password]').fill(person.password);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.getByLabel('6-digit code').fill(await totpCode(person.totpSecret!));
  await other.getByRole('button', { name: 'Continue' }).click();
  await other.getByRole('heading', { name: 'Security', level: 1 }).waitFor();

  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByText('Name saved').waitFor();
});

it('keeps one second factor for people whose role requires it', async () => {
  const { page } = window;
  await page.goto(`/dashboard/o/${organizationId}/settings/security`);
  await page.getByRole('button', { name: 'Remove' }).click();
  const asked = page.getByRole('dialog', { name: 'Remove authenticator app?' });
  await asked.getByRole('button', { name: 'Remove app' }).click();
  await asked.getByText('Your role requires a second factor').waitFor();
  await expectAccessible(window, 'refused');
});

it('sets a new password with the operator’s link', async () => {
  const { token } = await makeLink(service.storage.people, person.id);
  const { page } = await openPage(browser, service);
  await page.goto(`/dashboard/password-reset#token=${token}`);
  await page.getByRole('heading', { name: 'Reset password' }).waitFor();
  await page.locator('input[autocomplete=new-password]').fill(newPassword);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByLabel('6-digit code').fill(await totpCode(person.totpSecret!));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});

it('works with the keyboard alone', async () => {
  const { page } = window;
  await page.goto(`/dashboard/o/${organizationId}/settings/people`);
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Invite people');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('email');
  await page.keyboard.type('eve@example.org');
  await page.keyboard.press('Enter');
  await page.getByText('Send this link to eve@example.org').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(focused).toBe('Invite people');
  await page.getByRole('button', { name: 'Theme' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Light' }).waitFor();
  await expect.poll(focused).toBe('Light');
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).toBe('Dark');
  await page.keyboard.press('Escape');
  await page.getByRole('menuitem', { name: 'Light' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Theme');
  // Focus moves to the content of a new page, not to the navigation.
  await page.getByRole('link', { name: 'Security' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
});
