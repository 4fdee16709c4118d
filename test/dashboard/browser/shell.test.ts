import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeWindows, sharedBrowser } from '../../support/browser.ts';
import { addPerson, type TestPerson } from '../../support/people.ts';
import { poll } from '../../support/poll.ts';
import { asOwner } from '../../support/postgres.ts';
import { startService, type TestService } from '../../support/service.ts';
import { expectAccessible, expectFitsPhone, openPage, type WatchedPage } from '../../support/watched-page.ts';

let service: TestService;
let browser: Browser;
let organizationId: string;
let person: TestPerson;
let window: WatchedPage;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ publicPrefix: '/parapet' }), sharedBrowser()]);
  organizationId = await service.createOrganization();
  person = await addPerson(service, organizationId, 'owner');
});
beforeEach(async () => {
  window = await openPage(browser, service, person);
});
afterAll(async () => {
  await closeWindows(browser);
  await service?.close();
});

const people = () => `/parapet/dashboard/o/${organizationId}/settings/people`;

it('reloads once if one of its files is missing after an upgrade', async () => {
  const { page } = window;
  await page.goto(people());
  let asked = 0;
  await page.route('**/assets/keys-page-*.js', route => {
    asked += 1;
    return asked === 1 ? route.fulfill({ status: 404 }) : route.continue();
  });
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  expect(asked).toBe(2);

  // A file that stays missing is reported, and the navigation remains.
  await page.route('**/assets/security-page-*.js', route => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Security' }).click();
  await page.getByRole('alert').getByText('Failed to load').waitFor();
  await expectAccessibleIgnoringErrors(window);
  await page.unroute('**/assets/security-page-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor();
});

/** A missing file also logs an error in the console, which is expected here. */
async function expectAccessibleIgnoringErrors({ page, context }: WatchedPage): Promise<void> {
  await expectAccessible({ page, context, errors: [] }, 'a missing file');
}

it('shows the request ID of an error, which is in the log', async () => {
  const { page } = window;
  const none = '00000000-0000-4000-8000-000000000000';
  await page.goto(`/parapet/dashboard/o/${organizationId}/sources/${none}`);
  const shown = await page.getByText(/^Request ID [0-9a-f-]{36}$/).textContent();
  await page.getByRole('button', { name: 'Copy request ID' }).waitFor();
  const id = shown!.slice('Request ID '.length);
  const lines = service.log.map(line => JSON.parse(line)).filter(line => line.request_id === id);
  expect(lines).toMatchObject([{ msg: 'request.refused', reason: 'not_found', person: person.id }]);
});

it('requests only the object in its URL, and no other path of the API', async () => {
  const { page } = window;
  const asked: string[] = [];
  page.on('request', request => asked.push(new URL(request.url()).pathname));
  const own = `/parapet/dashboard/api/organizations/${organizationId}`;
  for (const [address, path] of [
    ['scans/..%2Fpeople', `${own}/scans/..%2Fpeople`],
    ['sources/x%2F..%2F..%2Fpeople', `${own}/sources/x%2F..%2F..%2Fpeople`],
    ['findings?finding=..%2Fpeople', `${own}/findings/..%2Fpeople`],
    ['controls?control=..%2Fpeople', `${own}/controls/..%2Fpeople`],
  ]) {
    await Promise.all([
      page.waitForResponse(response => new URL(response.url()).pathname === path),
      page.goto(`/parapet/dashboard/o/${organizationId}/${address}`),
    ]);
  }
  // A segment of two dots would change the path, so nothing is requested.
  await page.goto(`/parapet/dashboard/o/${organizationId}/findings?finding=..`);
  await page.getByText("This doesn't exist, or you don't have access to it.").first().waitFor();
  expect(asked).not.toContain(`${own}/people`);
  expect(asked).not.toContain(`${own}/`);
});

it('requests the code and data of a page together with the scripts that use them, each once', async () => {
  const { page } = window;
  for (const section of ['overview', 'findings', 'systems', 'sources', 'probes', 'controls', 'shield']) {
    await page.goto(`/parapet/dashboard/o/${organizationId}/${section}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    const loaded = await page.evaluate<{ path: string; by: string }[]>(
      `performance.getEntriesByType('resource').map(one => ({
        path: one.name.replace(/^.*\\/dashboard\\//, ''), by: one.initiatorType }))`,
    );
    const paths = loaded.map(({ path }) => path);
    expect(
      paths.filter((path, at) => paths.indexOf(path) !== at),
      section,
    ).toEqual([]);
    const data = loaded.filter(({ path }) =>
      path.startsWith(`api/organizations/${organizationId}/${section}`),
    );
    expect(data.length, section).toBeGreaterThan(0);
    expect(
      data.filter(({ by }) => by !== 'link'),
      section,
    ).toEqual([]);
    // The page of the section is not the entry, which a tag of the built page loads.
    expect(await page.locator('head link[rel=modulepreload]').count(), section).toBeGreaterThan(3);
  }
});

it('reports when the service cannot be reached, and continues when it can', async () => {
  const { page } = window;
  await page.goto(people());
  await page.getByRole('table', { name: 'People' }).waitFor();
  await page.route('**/dashboard/api/**', route => route.abort());
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByText("Can't reach the service").waitFor();
  await page.unroute('**/dashboard/api/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'No active keys' }).waitFor();
});

it('extends a session by the person’s activity, not by refreshing itself', async () => {
  const idle = await addPerson(service, organizationId, 'owner');
  const { page } = await openPage(browser, service, idle);
  const sql = (text: string) =>
    asOwner(service.database.connection, async client => (await client.query(text, [idle.id])).rows[0]);
  const minutesIdle = async () =>
    (
      await sql(
        'select floor(extract(epoch from now() - last_seen_at) / 60)::int as n from sessions where person_id = $1',
      )
    ).n;
  const unseenFor = (minutes: number) =>
    sql(
      `update sessions set last_seen_at = now() - interval '${minutes} minutes' where person_id = $1 returning id`,
    );
  const refresh = async () => {
    const refreshed = page.waitForResponse(response => response.url().endsWith('/overview'));
    await page.clock.fastForward(61_000);
    expect((await refreshed).status()).toBe(200);
  };
  await page.clock.install();
  await page.goto(`/parapet/dashboard/o/${organizationId}/overview`);
  await page.getByRole('heading', { name: 'Get started' }).waitFor();
  await unseenFor(59);
  await refresh();
  await refresh();
  expect(await minutesIdle(), 'an idle page').toBe(59);

  await page.clock.fastForward(25_000);
  await page.keyboard.press('Shift');
  const refreshed = page.waitForResponse(response => response.url().endsWith('/overview'));
  await page.clock.fastForward(31_000);
  await refreshed;
  expect(await minutesIdle(), 'an active one').toBe(0);

  // A page without other refreshes notices the end too.
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('table', { name: 'People' }).waitFor();
  await unseenFor(61);
  await page.clock.fastForward(61_000);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).searchParams.get('next')).toBe(`/o/${organizationId}/settings/people`);
});

it('switches organizations, remembers the last one, and is available to members only', async () => {
  const other = await service.createOrganization();
  await asOwner(service.database.connection, async client => {
    await client.query('alter table memberships no force row level security');
    await client.query(
      `insert into memberships (organization_id, person_id, role) values ($1, $2, 'member')`,
      [other, person.id],
    );
    await client.query('alter table memberships force row level security');
    await client.query('alter table organizations no force row level security').catch(() => {});
    await client.query(`update organizations set name = 'Northgate' where id = $1`, [other]);
  });
  const { page } = window;
  await page.goto(people());
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Switch organization: Test' }).click();
  await expectAccessible(window, 'organizations');
  await page.getByRole('menuitem', { name: 'Northgate' }).click();
  await page.getByRole('button', { name: 'Switch organization: Northgate' }).waitFor();
  expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
  await page.goto('/parapet/');
  await page.getByRole('button', { name: 'Switch organization: Northgate' }).waitFor();
  expect(page.url()).toContain(`/parapet/dashboard/o/${other}/overview`);
});

it('keeps the chosen color scheme from the first paint on', async () => {
  const { page } = window;
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(people());
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  // With only its first script, the page is already dark.
  await page.route('**/assets/*.js', route => route.abort());
  await page.reload();
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
});

it('has its full navigation on a phone', async () => {
  const { page } = window;
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(people());
  await page.getByRole('list', { name: 'People' }).waitFor();
  await expectFitsPhone(window, 'people');
  await page.setViewportSize({ width: 360, height: 740 });
  const shortcuts = page.getByRole('navigation', { name: 'Shortcuts' });
  expect(await shortcuts.getByRole('link').allInnerTexts()).toEqual([
    'Overview',
    'Findings',
    'Sources',
    'Scans',
  ]);
  await shortcuts.getByRole('button', { name: 'More' }).click();
  const drawer = page.getByRole('dialog', { name: 'Test' });
  await drawer.waitFor();
  await expectAccessible(window, 'drawer');
  await drawer.getByRole('link', { name: 'Security' }).click();
  await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor();
  await drawer.waitFor({ state: 'detached' });
});

describe.each([1280, 390])('%s pixels wide, before its scripts have loaded', width => {
  it('a page has its header, at the same place', async () => {
    await keepsHeader(window.page, width, `o/${organizationId}/audit`, 'Audit log');
  });

  it('the sign-in has its header, at the same place', async () => {
    const { page, context } = await openPage(browser, service);
    await keepsHeader(page, width, '', 'Sign in');
    await context.close();
  });
});

async function keepsHeader(page: Page, width: number, address: string, title: string): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  const places = () =>
    page.evaluate<unknown[]>(
      `[...document.querySelectorAll('h1, h1 ~ p, h1 + div, .mantine-Group-root + p')].map(each => {
        const { x, y, height } = each.getBoundingClientRect();
        return [each.textContent, ...[x, y, height].map(Math.round)];
      })`,
    );
  let load = () => {};
  const isTime = new Promise<void>(resolve => {
    load = resolve;
  });
  await page.route('**/assets/*.js', route => isTime.then(() => route.continue()));
  await page.goto(`/parapet/dashboard/${address}`, { waitUntil: 'commit' });
  await page.locator('#early p').waitFor();
  // Nothing shows before the styles have loaded.
  await poll('the styles', () =>
    page.evaluate<boolean>(
      `[...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet !== null)`,
    ),
  );
  const early = await places();
  expect(early).toHaveLength(2);
  load();
  await page.locator('#early').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  expect(await places()).toEqual(early);
}
