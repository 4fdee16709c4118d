import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scanRetentions } from '../../../src/contract/dashboard/retention-days.ts';
import { dateText } from '../../../web/formats/dates.ts';
import { type AuthorizedSource, authorizedSource } from '../../support/authorized-source.ts';
import { closeWindows, sharedBrowser } from '../../support/browser.ts';
import { addPerson } from '../../support/people.ts';
import { asOwner } from '../../support/postgres.ts';
import { type SharedService, sharedService } from '../../support/service.ts';
import { expectAccessible, expectFitsPhone, openPage } from '../../support/watched-page.ts';

let service: SharedService;
let browser: Browser;
let source: AuthorizedSource;
beforeAll(async () => {
  [service, browser] = await Promise.all([sharedService(), sharedBrowser()]);
  source = await authorizedSource(service);
  // The last scan of a source is not deleted.
  await asOwner(service.database.connection, client =>
    client.query(
      `insert into scans (organization_id, source_id, profile, idempotency_key, status, verdict, runs_planned, created_at, started_at, finished_at)
        select $1, $2, 'safe_all_surfaces', age::text, 'completed', 'pass', 2, at, at, at
        from unnest(array[200, 120, 100, 40, 1]) as age cross join lateral (select now() - make_interval(days => age) as at) as t`,
      [source.organizationId, source.sourceId],
    ),
  );
});
afterAll(() => closeWindows(browser));

const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString();

const isRed = async (button: Locator) => (await button.getAttribute('style'))?.includes('-red-') ?? false;

const path = () => `/dashboard/o/${source.organizationId}/scans`;

it('previews what a retention deletes, and changes it after a confirmation', async () => {
  const owner = await addPerson(service, source.organizationId, 'owner');
  const stored = async () =>
    (await owner.client.get(`/organizations/${source.organizationId}/scans/retention`)).json;
  const window = await openPage(browser, service, owner);
  const { page } = window;
  await page.goto(path());
  const retention = page.getByRole('combobox', { name: 'Retention' });
  const shown = () => expect.poll(() => retention.inputValue());
  await shown().toBe('Kept for 365 days');
  const choose = async (name: string) => {
    await retention.click();
    await page.getByRole('option', { name, exact: true }).click();
  };
  await retention.click();
  await page.getByRole('option', { name: 'Always kept' }).waitFor();
  expect(await page.getByRole('option').allTextContents()).toEqual([
    ...scanRetentions.map(days => `Kept for ${days} days`),
    'Always kept',
  ]);
  await page.keyboard.press('Escape');

  await choose('Kept for 180 days');
  const long = page.getByRole('dialog', { name: 'Keep scans for 180 days?' });
  await long.getByText('Today it would delete 1 scan.').waitFor();
  await long.getByRole('button', { name: 'Cancel' }).click();
  await long.waitFor({ state: 'hidden' });
  await shown().toBe('Kept for 365 days');
  expect(await stored()).toMatchObject({ retention_days: 365, would_delete: { scans: 0 } });

  await choose('Kept for 90 days');
  const dialog = page.getByRole('dialog', { name: 'Keep scans for 90 days?' });
  await dialog.getByText('Today it would delete 3 scans.').waitFor();
  await dialog.getByText(`From ${dateText(inAWeek())} on, older scans are deleted`).waitFor();
  expect(await isRed(dialog.getByRole('button', { name: 'Change retention' }))).toBe(true);
  await expectAccessible(window, 'change the retention of scans');
  await expectFitsPhone(window, 'change the retention of scans');
  await dialog.getByRole('button', { name: 'Change retention' }).click();
  await page.getByText('Retention changed').waitFor();
  await shown().toBe('Kept for 90 days');
  await page.reload();
  await shown().toBe('Kept for 90 days');
  const { retention_days, would_delete, applies_at } = await stored();
  expect({ retention_days, scans: would_delete.scans }).toEqual({ retention_days: 90, scans: 3 });
  const from = dateText(applies_at);
  await page.getByText(`Applies from ${from} on. No scans are deleted until then.`).waitFor();

  await choose('Kept for 180 days');
  const longer = page.getByRole('dialog', { name: 'Keep scans for 180 days?' });
  await longer
    .getByText(
      `kept for 180 days instead of 90, so no additional scans are deleted. Until ${from}, none are.`,
    )
    .waitFor();
  expect(await isRed(longer.getByRole('button', { name: 'Change retention' }))).toBe(false);
  await longer.getByRole('button', { name: 'Cancel' }).click();
  expect(Date.parse(applies_at), 'a week to undo it').toBeGreaterThan(Date.now() + 6 * 86_400_000);
  expect(window.errors).toEqual([]);
});

it('offers no change to a member, whom the service would refuse', async () => {
  const member = await addPerson(service, source.organizationId, 'member');
  const { page } = await openPage(browser, service, member);
  await page.goto(path());
  await page.locator("a[href*='/scans/']").first().waitFor();
  expect(await page.getByRole('combobox', { name: 'Status' }).count()).toBe(1);
  expect(await page.getByRole('combobox', { name: 'Retention' }).count()).toBe(0);
  const at = `/organizations/${source.organizationId}/scans/retention`;
  expect((await member.client.request('PUT', at, { retention_days: 30 })).status).toBe(403);
});
