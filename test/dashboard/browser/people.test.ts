import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLink } from '../../../src/resources/people/one-time-links.ts';
import { closeWindows, sharedBrowser } from '../../support/browser.ts';
import { DashboardClient, totpCode } from '../../support/dashboard-client.ts';
import { addPerson } from '../../support/people.ts';
import { asOwner } from '../../support/postgres.ts';
import { startService, type TestService } from '../../support/service.ts';
import {
  addAuthenticator,
  expectAccessible,
  expectFitsPhone,
  openPage,
  type WatchedPage,
} from '../../support/watched-page.ts';

const password = 'lantern orbit cactus 71';

let service: TestService;
let browser: Browser;
/** The person who sets up the service. */
let owner: WatchedPage;
let secret: string;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), sharedBrowser()]);
  owner = await openPage(browser, service);
  await addAuthenticator(owner);
});
afterAll(async () => {
  await closeWindows(browser);
  await service?.close();
});

const navigate = ({ page }: WatchedPage, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();

it('leads from the set-up link to an owner with a second factor and backup codes', async () => {
  const { token } = await makeLink(service.storage.people);
  const { page } = owner;
  await page.goto(`/dashboard/set-up#token=${token}`);
  await page.getByLabel('Organization').fill('Harbor View Clinic');
  await expectAccessible(owner, 'set-up');
  await expectFitsPhone(owner, 'set-up');
  await page.getByLabel('Your name').fill('Ada Berg');
  await page.getByLabel('Email').fill('ada@example.org');
  await page.locator('input[autocomplete=new-password]').fill('password1234');
  await page.getByText(/eak\./).waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This password is in a list of breached passwords').waitFor();
  await page.locator('input[autocomplete=new-password]').fill(password);
  await page.getByText('Strong.').waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.getByRole('img', { name: 'QR code' }).waitFor();
  await expectAccessible(owner, 'enrolment');
  await expectFitsPhone(owner, 'enrolment');
  secret = (await page.locator('pre').innerText()).replaceAll(' ', '');
  await page.getByLabel('6-digit code').fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('Incorrect or already used code').waitFor();
  await page.getByLabel('6-digit code').fill(await totpCode(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();

  const codes = page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
  await codes.first().waitFor();
  expect(await codes.count()).toBe(10);
  await expectAccessible(owner, 'backup codes');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('parapet-backup-codes.txt');
  expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
  await page.getByLabel("I've saved these codes").check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  expect(owner.errors).toEqual([]);
});

it('adds a passkey, renames it and signs in with it', async () => {
  const { page } = owner;
  await asOwner(service.database.connection, client =>
    client.query("update sessions set stepped_up_at = now() - interval '6 minutes'"),
  );
  await navigate(owner, 'Security');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add passkey' });
  await dialog.getByLabel('Passkey name').fill('Laptop');
  await dialog.getByRole('button', { name: 'Add passkey' }).click();
  const stepUp = page.getByRole('dialog', { name: "Confirm it's you" });
  await stepUp.waitFor();
  await expectAccessible(owner, 'step-up');
  await stepUp.getByLabel('6-digit code').fill(await totpCode(secret, 1));
  await stepUp.getByRole('button', { name: 'Continue' }).click();
  const passkeys = page.getByRole('list', { name: 'Passkeys' });
  await passkeys.getByText('Laptop').waitFor();
  await passkeys.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Blue laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Save name' }).click();
  await passkeys.getByText('Blue laptop').waitFor();
  await expectAccessible(owner, 'security');
  await expectFitsPhone(owner, 'security');

  await page.getByRole('button', { name: 'Signed in as Ada Berg' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expectAccessible(owner, 'sign-in');
  await expectFitsPhone(owner, 'sign-in');
  await page.getByLabel('Email').fill('ADA@example.org');
  await page.locator('input[type=password]').fill('not the password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Incorrect email address or password').waitFor();
  await page.locator('input[type=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
  await expectAccessible(owner, 'second factor');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  // The page is the one that the person signed out from.
  await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor();
  // Without a password: the passkey counts as both factors.
  await page.getByRole('button', { name: 'Signed in as Ada Berg' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const [answered] = await Promise.all([
    page.waitForRequest(request => request.url().endsWith('/sign-in/passkey')),
    page.getByRole('button', { name: 'Sign in with a passkey' }).click(),
  ]);
  await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor();
  expect(owner.errors).toEqual([]);

  const replay = (cookie: string | undefined) =>
    new DashboardClient(service.url.replace('127.0.0.1', 'localhost')).post(
      '/sign-in/passkey',
      answered.postDataJSON(),
      { cookie: cookie ?? null },
    );
  const cookies = (await answered.allHeaders()).cookie;
  expect(cookies).toContain('parapet_challenge');
  expect((await replay(cookies)).json.error_code, 'the same answer again').toBe('passkey_refused');
  expect((await replay(undefined)).json.error_code, 'in another browser').toBe('passkey_refused');
});

it('refuses a passkey that may have a copy, and one without user verification', async () => {
  const person = await addPerson(service, await service.createOrganization(), 'owner');
  const window = await openPage(browser, service, person);
  const { page, context } = window;
  const authenticator = await addAuthenticator(window);
  await page.goto('/dashboard/');
  await navigate(window, 'Security');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByLabel('Passkey name').fill('Laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('list', { name: 'Passkeys' }).getByText('Laptop').waitFor();
  const use = async () => {
    await context.clearCookies();
    await page.goto('/dashboard/sign-in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  };
  await asOwner(service.database.connection, client =>
    client.query('update passkeys set sign_count = 1000 where person_id = $1', [person.id]),
  );
  await use();
  await page.getByText('The passkey could not be verified').waitFor();
  await asOwner(service.database.connection, client =>
    client.query('update passkeys set sign_count = 0 where person_id = $1', [person.id]),
  );
  await authenticator.setUserVerified(false);
  await use();
  await page.getByText('No passkey was used').waitFor();
  await authenticator.setUserVerified(true);
  await use();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  // Both factors were just used, so that no step-up is required.
  await navigate(window, 'People');
  await page.getByRole('button', { name: 'Invite people' }).click();
  await page.getByRole('dialog').getByLabel('Email').fill('cy@example.org');
  await page.getByRole('dialog').getByRole('button', { name: 'Create invitation link' }).click();
  await page.getByRole('dialog').locator('pre').waitFor();
  expect(window.errors).toEqual([]);
});

it('invites a person by a link, who joins with a new account', async () => {
  const { page } = owner;
  await navigate(owner, 'People');
  await page.getByRole('button', { name: 'Invite people' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite people' });
  await dialog.getByLabel('Email').fill('ben@example.org');
  await dialog.getByLabel('Admin').check();
  await expectAccessible(owner, 'invite');
  await dialog.getByRole('button', { name: 'Create invitation link' }).click();
  const link = await dialog.locator('pre').innerText();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('table', { name: 'Pending invitations' }).getByText('ben@example.org').waitFor();
  await expectAccessible(owner, 'people');
  await expectFitsPhone(owner, 'people');

  const invited = await openPage(browser, service);
  await invited.page.goto(link);
  await invited.page.getByRole('heading', { name: 'Join Harbor View Clinic' }).waitFor();
  await invited.page.getByText('Ada Berg invited ben@example.org to join as an admin.').waitFor();
  await expectAccessible(invited, 'invitation');
  await expectFitsPhone(invited, 'invitation');
  await invited.page.getByLabel('Your name').fill('Ben Ito');
  await invited.page.locator('input[autocomplete=new-password]').fill(password);
  await invited.page.getByRole('button', { name: 'Create account' }).click();
  // The role of admin requires a second factor before the invitation is accepted.
  await invited.page.getByRole('button', { name: 'Set up a second factor' }).waitFor();
  await expectAccessible(invited, 'invitation, signed in');
  await invited.page.getByRole('button', { name: 'Set up a second factor' }).click();
  await invited.page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
  const own = (await invited.page.locator('pre').innerText()).replaceAll(' ', '');
  await invited.page.getByLabel('6-digit code').fill(await totpCode(own));
  await invited.page.getByRole('button', { name: 'Turn on' }).click();
  await invited.page.getByLabel("I've saved these codes").check();
  await invited.page.getByRole('button', { name: 'Continue' }).click();
  await invited.page.getByRole('button', { name: 'Join Harbor View Clinic' }).click();
  await invited.page.getByRole('navigation', { name: 'Main' }).waitFor();
  expect(invited.errors).toEqual([]);

  const late = await openPage(browser, service);
  await late.page.goto(link);
  await late.page.getByText("This link doesn't work").waitFor();
  await expectAccessible(late, 'spent link');

  await page.reload();
  await page.getByRole('table', { name: 'People' }).getByText('Ben Ito').waitFor();
  await page.getByText('No pending invitations.').waitFor();
});

it('changes a role, removes a person, and shows members no actions', async () => {
  const { page } = owner;
  const organizationId = page.url().match(/\/o\/([^/]+)/)![1]!;
  const member = await addPerson(service, organizationId, 'member');
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: member.email });
  await row.getByRole('button', { name: 'Change role' }).click();
  await page.getByRole('dialog').getByLabel('Admin').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
  await row.getByText('Admin').waitFor();
  await row.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove person' }).click();
  await row.waitFor({ state: 'detached' });

  const reader = await openPage(
    browser,
    service,
    await addPerson(service, organizationId, 'member', { secondFactor: false }),
  );
  await reader.page.goto(`/dashboard/o/${organizationId}/settings/people`);
  await reader.page.getByRole('table', { name: 'People' }).getByText('Ada Berg').waitFor();
  expect(await reader.page.getByRole('button', { name: 'Invite people' }).count()).toBe(0);
  expect(await reader.page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
  expect(await reader.page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
  await reader.page.goto(`/dashboard/o/${organizationId}/settings/keys`);
  await reader.page.getByRole('heading', { name: 'Page not found' }).waitFor();
});

it('sends signed-out visitors to the sign-in page and back, and shows no other organization', async () => {
  const organizationId = await service.createOrganization();
  const stranger = await addPerson(service, await service.createOrganization(), 'member');
  const window = await openPage(browser, service, stranger);
  await window.page.goto(`/dashboard/o/${organizationId}/settings/people`);
  await window.page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await expectAccessible(window, 'not found');

  const person = await addPerson(service, organizationId, 'member', { secondFactor: true });
  const { page } = await openPage(browser, service);
  await page.goto(`/dashboard/o/${organizationId}/settings/people?role=owner`);
  await page.getByLabel('Email').fill(person.email);
  await page.locator('input[type=password]').fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const code = await totpCode(person.totpSecret!);
  await page.getByLabel('6-digit code').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
  expect(page.url()).toMatch(/settings\/people\?role=owner$/);
  // The same code does not work again.
  const again = await openPage(browser, service);
  await again.page.goto('/dashboard/');
  await again.page.getByLabel('Email').fill(person.email);
  await again.page.locator('input[type=password]').fill(person.password);
  await again.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await again.page.getByLabel('6-digit code').fill(code);
  await again.page.getByRole('button', { name: 'Continue' }).click();
  await again.page.getByText('Incorrect or already used code').waitFor();
});
