import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeCause, explainCause } from '../../../src/domain/scan-causes.ts';
import { turnWatchOn } from '../../../src/resources/sources/watches.ts';
import { type AuthorizedSource, authorizedSource } from '../../support/authorized-source.ts';
import { closeWindows, sharedBrowser } from '../../support/browser.ts';
import { addPerson } from '../../support/people.ts';
import { asOwner } from '../../support/postgres.ts';
import { type SharedService, sharedService } from '../../support/service.ts';
import { expectAccessible, expectFitsPhone, openPage, type WatchedPage } from '../../support/watched-page.ts';

let service: SharedService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([sharedService(), sharedBrowser()]);
});
afterAll(() => closeWindows(browser));

interface Opened {
  readonly source: AuthorizedSource;
  readonly window: WatchedPage;
  readonly at: (path: string) => string;
}

/** A connected source, and a window of an admin. */
async function opened(): Promise<Opened> {
  const source = await authorizedSource(service);
  await owner("update sources set status = 'connected' where id = $1", source.sourceId);
  const person = await addPerson(service, source.organizationId, 'admin', { steppedUp: true });
  const window = await openPage(browser, service, person);
  return { source, window, at: path => `/dashboard/o/${source.organizationId}/${path}` };
}

const owner = (text: string, ...values: unknown[]) =>
  asOwner(service.database.connection, client => client.query(text, values));

/** A finished scan, with a run for each cause, and one that succeeded for null. */
const scanned = ({ organizationId, sourceId }: AuthorizedSource, causes: readonly (string | null)[]) =>
  owner(
    `with scan as (
      insert into scans (organization_id, source_id, profile, idempotency_key, status, verdict, runs_planned, created_at, started_at, finished_at)
        select $1, $2, 'safe_all_surfaces', gen_random_uuid()::text, case when $4 then 'failed' else 'completed' end, 'inconclusive',
          cardinality($3::text[]), now(), now(), now() returning id)
    insert into scan_runs (organization_id, scan_id, source_id, detector, status, cause, started_at, finished_at)
      select $1, scan.id, $2, 'detector-' || n, case when cause is null then 'succeeded' else 'failed' end, cause, now(), now()
      from scan, unnest($3::text[]) with ordinality as run (cause, n)`,
    organizationId,
    sourceId,
    causes,
    causes.every(cause => cause !== null),
  );

it('says at the top of a source that its last scan failed, and why', async () => {
  const { source, window, at } = await opened();
  const { page } = window;
  await scanned(source, ['connection_refused', 'connection_refused', 'timeout', 'not_assessed']);
  await page.goto(at('overview'));
  await page.getByText('Last scan failed').waitFor();
  await page.getByRole('link', { name: 'W', exact: true }).click();
  const alert = page.getByRole('alert');
  await alert.getByText('Fix the cause, then run the scan again.').waitFor();
  expect(await alert.getByRole('listitem').allTextContents()).toEqual([
    describeCause('connection_refused'),
    describeCause('timeout'),
  ]);
  const connection = page.getByRole('region', { name: 'Connection' });
  await connection.getByText('Connection OK in the last test.').waitFor();
  await page.getByText('Failed', { exact: true }).waitFor();
  await expectAccessible(window, 'source with a failed scan');
  await expectFitsPhone(window, 'source with a failed scan');
  await page.goto(at('sources'));
  await page
    .getByRole('row', { name: /shop\.example/ })
    .getByText('Failed')
    .waitFor();

  await scanned(source, ['connection_refused', null]);
  await page.goto(at(`sources/${source.sourceId}`));
  await page.getByText('Inconclusive').waitFor();
  expect(await page.getByRole('alert').count(), 'one run succeeded').toBe(0);
  expect(window.errors).toEqual([]);
});

it('shows why the last connection test failed, also after a reload', async () => {
  const { source, window, at } = await opened();
  const { page } = window;
  await owner("update sources set status = 'failing' where id = $1", source.sourceId);
  const outcome = {
    ok: false,
    checked_at: '2026-01-01T00:00:00.000+00:00',
    latency_ms: 1,
    error_code: 'timeout',
  };
  await source.person.transaction(async transaction =>
    transaction.audit({
      action: 'source.tested',
      objectKind: 'source',
      objectId: source.sourceId,
      detail: outcome,
    }),
  );
  await page.goto(at(`sources/${source.sourceId}`));
  const connection = page.getByRole('region', { name: 'Connection' });
  const alert = connection.getByRole('status').filter({ hasText: 'Connection failed' });
  const { what, fix } = explainCause('timeout');
  for (const text of [what, 'Last tested', 'timeout', fix]) await alert.getByText(text).first().waitFor();
  await expectAccessible(window, 'source with a failed test');
  await expectFitsPhone(window, 'source with a failed test');
  // The service of these tests answers that the connection works.
  await connection.getByRole('button', { name: 'Test connection' }).click();
  await connection.getByText('Connection OK', { exact: true }).waitFor();
  await alert.waitFor({ state: 'detached' });
  expect(window.errors).toEqual([]);
});

it('follows Watch until the time of the next scan is known', async () => {
  const { source, window, at } = await opened();
  const { page } = window;
  await source.person.transaction(transaction =>
    turnWatchOn(transaction, source.sourceId, 24, { privilegedConnections: false }),
  );
  // No worker starts it.
  await page.goto(at(`sources/${source.sourceId}`));
  await page.getByText('Next scan due now.').waitFor();
  await owner(
    "update watches set next_scan_at = now() + interval '5 hours 1 minute' where source_id = $1",
    source.sourceId,
  );
  await page.getByText('Next scan in 5 hours.').waitFor();
  expect(window.errors).toEqual([]);
});

it('offers to add a source to a system without one, and needs no credential for a website', async () => {
  const { window, at } = await opened();
  const { page } = window;
  await page.goto(at('systems?add=yes'));
  const dialog = page.getByRole('dialog', { name: 'Add system' });
  await dialog.getByLabel('Name').fill('Patient portal');
  await dialog.getByRole('button', { name: 'Add system' }).click();
  const row = page.getByRole('row', { name: /Patient portal/ });
  await row.getByRole('button', { name: 'Add source' }).waitFor();
  await expectFitsPhone(window, 'systems with actions');
  await row.getByRole('link', { name: '0 sources of Patient portal' }).click();
  await page.getByRole('heading', { name: 'No sources in this system yet' }).waitFor();
  await expectAccessible(window, 'system without sources');
  await page.getByPlaceholder('Search by name or host').fill('nothing');
  await page.getByRole('heading', { name: 'No sources match these filters' }).waitFor();
  const chosen = () =>
    expect.poll(() => page.getByRole('combobox', { name: 'System' }).inputValue()).toBe('Patient portal');
  await page.getByRole('link', { name: 'Add source' }).first().click();
  await chosen();
  await page.goto(at('systems'));
  await row.getByRole('button', { name: 'Add source' }).click();
  await chosen();
  const direct = page.getByRole('radio', { name: 'Direct' });
  await page.getByText('Parapet connects without a credential.').waitFor();
  await page.getByRole('radio', { name: 'PostgreSQL' }).check();
  await page.getByText('Parapet connects with a credential').waitFor();
  expect(await direct.isChecked()).toBe(true);
  await expectAccessible(window, 'new source of a system');
  expect(window.errors).toEqual([]);
});
