import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuthorizedSource, authorizedSource, queuedScan } from '../../support/authorized-source.ts';
import { closeWindows, sharedBrowser } from '../../support/browser.ts';
import { storeFindings } from '../../support/findings.ts';
import { addPerson, type TestPerson } from '../../support/people.ts';
import { type SharedService, sharedService } from '../../support/service.ts';
import { expectAccessible, expectFitsPhone, openPage, type WatchedPage } from '../../support/watched-page.ts';

const longName = `${'Wilhelmina '.repeat(15)}Featherstonehaugh-Cholmondeley`.slice(0, 200);
const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

let service: SharedService;
let browser: Browser;
let source: AuthorizedSource;
let person: TestPerson;
let colleague: TestPerson;
let admin: WatchedPage;
let ids: string[];
let at: (path: string) => string;
beforeAll(async () => {
  [service, browser] = await Promise.all([sharedService(), sharedBrowser()]);
  source = await authorizedSource(service);
  ids = await storeFindings(source, [
    {
      severity: 'critical',
      title: 'Secrets can be downloaded',
      category: 'exposure.env',
      createdAt: daysAgo(20),
    },
    {
      severity: 'high',
      title: 'The certificate has expired',
      category: 'tls.expired',
      createdAt: daysAgo(28),
    },
    {
      severity: 'low',
      title: 'The server names its version',
      category: 'headers.server',
      createdAt: daysAgo(3),
    },
    ...Array.from({ length: 70 }, (_, index) => ({
      severity: 'medium',
      title: 'Cookie without Secure',
      category: 'cookies.secure',
      locator: `shop.example session${index}`,
      createdAt: daysAgo(index * 2),
    })),
  ]);
  person = await addPerson(service, source.organizationId, 'admin', { steppedUp: true });
  colleague = await addPerson(service, source.organizationId, 'member');
  await rename(person, 'Ada Berg');
  await rename(colleague, longName);
  admin = await openPage(browser, service, person);
  at = path => `/dashboard/o/${source.organizationId}/${path}`;
});
afterAll(() => closeWindows(browser));

const rename = ({ id }: TestPerson, name: string) =>
  service.storage.people.query({ text: 'update people set name = $2 where id = $1', values: [id, name] });

const drawerOf = ({ page }: WatchedPage) => page.getByRole('dialog', { name: 'Finding' });

it('assigns a finding to oneself and to a colleague, and finds it with one click', async () => {
  const { page } = admin;
  await page.goto(at(`findings?finding=${ids[0]}`));
  const drawer = drawerOf(admin);
  await drawer.getByRole('button', { name: 'Assign to me' }).click();
  await drawer.getByText('Ada Berg assigned this finding to Ada Berg').waitFor();
  await drawer.getByText('13 days overdue').waitFor();
  await expectAccessible(admin, 'a finding with an owner');
  await expectFitsPhone(admin, 'a finding with an owner');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Mine' }).click();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  expect(await page.locator('tbody tr').innerText()).toContain('Ada Berg');
  expect(page.url()).toContain('owner=me');
  await page.getByRole('button', { name: 'Secrets can be' }).click();
  await drawer.getByRole('combobox', { name: 'Owner' }).click();
  await page.getByRole('option', { name: 'Wilhelmina' }).click();
  await drawer.getByText('Ada Berg assigned this finding to Wilhelmina').waitFor();
  await expectAccessible(admin, 'a finding whose owner has a long name');
  await expectFitsPhone(admin, 'a finding whose owner has a long name');
  await page.keyboard.press('Escape');
  await page.goto(at('findings?owner=none&severity=critical'));
  await page.getByText('No findings match').waitFor();
});

it('sorts by the headers of the table, and filters what is overdue', async () => {
  const { page } = admin;
  await page.goto(at('findings'));
  const header = page.getByRole('columnheader', { name: 'Due' });
  await header.getByRole('button').click();
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending');
  await expect.poll(() => page.locator('tbody tr').first().innerText()).toMatch(/48 days overdue/);
  expect(page.url()).toContain('order=due');
  await page.getByRole('columnheader', { name: 'Severity' }).getByRole('button').click();
  await expect.poll(() => header.getAttribute('aria-sort')).toBeNull();
  await page.getByRole('button', { name: 'Overdue' }).click();
  await expect.poll(() => page.getByRole('status').first().innerText()).toBe('25');
  await page.getByRole('button', { name: 'Due in 7 days' }).click();
  await expect.poll(() => page.locator('tbody tr').first().innerText()).toMatch(/Due in 2 days/);
  await expectAccessible(admin, 'findings that are due');
  await expectFitsPhone(admin, 'findings that are due');
});

it('sets a due date and the date of the policy again', async () => {
  const { page } = admin;
  await page.goto(at(`findings?finding=${ids[2]}`));
  const drawer = drawerOf(admin);
  await drawer.getByRole('button', { name: 'Change due date' }).click();
  const dialog = page.getByRole('dialog', { name: 'Due date' });
  await dialog.getByLabel('Due date').fill(new Date(Date.now() + 4 * dayMs).toISOString().slice(0, 10));
  await expectAccessible(admin, 'a due date');
  await dialog.getByRole('button', { name: 'Save due date' }).click();
  await drawer.getByText('Due in 4 days').waitFor();
  await drawer.getByText('set by a person').waitFor();
  await drawer.getByText(/^Ada Berg set the due date to/).waitFor();
  await drawer.getByRole('button', { name: 'Change due date' }).click();
  await dialog.getByRole('checkbox', { name: 'Use the date of the policy' }).check();
  await dialog.getByRole('button', { name: 'Save due date' }).click();
  await drawer.getByText('by policy').waitFor();
});

it('comments with a mention by keyboard, edits and deletes the comment', async () => {
  const { page } = admin;
  await page.goto(at(`findings?finding=${ids[1]}`));
  const drawer = drawerOf(admin);
  const field = drawer.getByRole('textbox', { name: 'New comment' });
  await field.fill('See https://example.com/runbook. Run `certbot renew`, ');
  await field.press('End');
  await field.pressSequentially('@wil');
  await drawer.getByRole('option', { name: 'Wilhelmina' }).waitFor();
  await expectAccessible(admin, 'people to mention');
  await field.press('Enter');
  await expect.poll(() => field.inputValue()).toContain(`@${longName} `);
  await field.press('Control+Enter');
  await drawer.getByText('Ada Berg commented').waitFor();
  const link = drawer.getByRole('link', { name: 'https://example.com/runbook' });
  expect(await link.getAttribute('href')).toBe('https://example.com/runbook');
  expect(await drawer.locator('code').filter({ hasText: 'certbot renew' }).count()).toBe(1);
  expect(await drawer.locator('[class*=mention]').innerText()).toBe(`@${longName}`);
  const [mention] = await source.store.queryOnce<{ person_id: string }>({
    text: 'select person_id from finding_mentions',
  });
  expect(mention?.person_id).toBe(colleague.id);
  await expectAccessible(admin, 'a comment');
  await expectFitsPhone(admin, 'a comment');
  await drawer.getByRole('button', { name: 'Edit' }).click();
  await drawer.getByRole('textbox', { name: 'Comment', exact: true }).fill('Renewed <b>today</b>.');
  await drawer.getByRole('button', { name: 'Save comment' }).click();
  await drawer.getByText('Renewed <b>today</b>.').waitFor();
  await drawer.getByText(/edited/).waitFor();
  await drawer.getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('dialog', { name: 'Delete comment?' })
    .getByRole('button', { name: 'Delete comment' })
    .click();
  await drawer.getByText('Ada Berg commented').waitFor({ state: 'detached' });
});

it('lets members comment, but not assign or plan', async () => {
  const member = await openPage(browser, service, colleague);
  await member.page.goto(at(`findings?finding=${ids[1]}`));
  const drawer = drawerOf(member);
  await drawer.getByRole('textbox', { name: 'New comment' }).fill('On it.');
  expect(await drawer.getByRole('button', { name: 'Assign to me' }).count()).toBe(0);
  expect(await drawer.getByRole('button', { name: 'Change due date' }).count()).toBe(0);
  await drawer.getByRole('button', { name: 'Comment', exact: true }).click();
  await drawer.getByText('On it.').waitFor();
  await expectAccessible(member, 'a finding, for members');
});

it('groups findings by check, opens a group, and changes all of it together', async () => {
  const { page } = admin;
  await page.goto(at('findings'));
  await page.getByRole('button', { name: 'By check' }).click();
  const group = page
    .getByRole('list', { name: 'Checks' })
    .getByRole('listitem')
    .filter({ hasText: 'cookies.secure' });
  await group.getByText('70 findings').waitFor();
  await group.getByText('24 overdue').waitFor();
  await expectAccessible(admin, 'findings by check');
  await expectFitsPhone(admin, 'findings by check');
  await group.getByRole('button', { name: 'Cookie without Secure' }).click();
  await expect.poll(() => group.locator('tbody tr').count()).toBe(50);
  await group.getByRole('button', { name: 'Load more' }).click();
  await expect.poll(() => group.locator('tbody tr').count()).toBe(70);
  // Rows that scroll below the header are closer to its buttons than to each other.
  await page.evaluate('scrollTo(0, 0)');
  await expectAccessible(admin, 'an open group');
  await group.getByRole('checkbox', { name: 'Select all findings: Cookie' }).check();
  const bar = page.getByRole('region', { name: 'Selected findings' });
  await bar.getByText('70 selected').waitFor();
  await expectAccessible(admin, 'a selected group');
  await bar.getByRole('button', { name: 'Assign' }).click();
  const dialog = page.getByRole('dialog', { name: 'Assign 70 findings' });
  await dialog.getByRole('combobox', { name: 'Owner' }).click();
  await page.getByRole('option', { name: 'Ada Berg' }).click();
  await expectAccessible(admin, 'assign together');
  await dialog.getByRole('button', { name: 'Assign 70 findings' }).click();
  await bar.waitFor({ state: 'hidden' });
  await expect.poll(() => group.locator('tbody tr').first().innerText()).toContain('Ada Berg');
  await page.getByRole('button', { name: 'By system' }).click();
  await page.getByRole('list', { name: 'Systems' }).getByText('73 findings').waitFor();
  await expectAccessible(admin, 'findings by system');
});

it('assigns the active finding by keyboard', async () => {
  const { page } = admin;
  await page.goto(at('findings?severity=low'));
  const row = page.getByRole('row').filter({ hasText: 'The server names' });
  await row.getByText('No owner').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('i');
  await row.getByText('Ada Berg').waitFor();
});

it('selects all matching findings, and comments on and dates them together', async () => {
  const { page } = admin;
  await page.goto(at('findings?category=cookies'));
  await page.getByRole('row').nth(1).getByRole('checkbox').check();
  const bar = page.getByRole('region', { name: 'Selected findings' });
  await bar.getByRole('button', { name: 'Select all 70' }).click();
  await bar.getByText('70 selected').waitFor();
  await bar.getByRole('button', { name: 'Comment' }).click();
  const comment = page.getByRole('dialog', { name: 'Comment on 70 findings' });
  await comment.getByRole('textbox', { name: 'Comment' }).fill('One fix for all.');
  await comment.getByRole('button', { name: 'Comment on 70 findings' }).click();
  await bar.waitFor({ state: 'hidden' });
  await page.getByRole('row').nth(1).getByRole('checkbox').check();
  await bar.getByRole('button', { name: 'Due date' }).click();
  const date = page.getByRole('dialog', { name: 'Due date' });
  await date.getByLabel('Due date').fill(new Date(Date.now() + 2 * dayMs).toISOString().slice(0, 10));
  await date.getByRole('button', { name: 'Save due date' }).click();
  await expect.poll(() => page.getByRole('row').nth(1).innerText()).toContain('Due in 2 days');
});

it('keeps the filters of work in saved views', async () => {
  const { page } = admin;
  await page.goto(at('findings?owner=me&due=overdue&order=due'));
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save current filters' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save current filters as a view' });
  await dialog.getByLabel('Name').fill('My overdue');
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.goto(at('findings'));
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'My overdue', exact: true }).click();
  await expect.poll(() => page.url()).toMatch(/due=overdue/);
  const mine = page.getByRole('button', { name: 'Mine' });
  await expect.poll(() => mine.getAttribute('aria-pressed')).toBe('true');
});

it('changes the policy, which changes what is overdue at once', async () => {
  const { page } = admin;
  await page.goto(at('settings/due-dates'));
  await page.getByRole('heading', { level: 1, name: 'Due dates' }).waitFor();
  await expectAccessible(admin, 'due dates');
  await expectFitsPhone(admin, 'due dates');
  await page.getByLabel('Medium').fill('1000');
  await page.getByRole('button', { name: 'Save due dates' }).click();
  await page.getByText('must be').waitFor();
  await page.getByLabel('Medium').fill('');
  await page.getByRole('button', { name: 'Save due dates' }).click();
  await page.getByText('Due dates changed').waitFor();
  await page.getByRole('link', { name: '1 finding overdue' }).waitFor();
});

it('shows on the overview what is overdue', async () => {
  const { page } = admin;
  await queuedScan(source);
  await page.goto(at('overview'));
  await page.getByRole('link', { name: '1 overdue' }).click();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
});
