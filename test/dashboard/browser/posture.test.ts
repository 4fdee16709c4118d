import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest';
import { stepHeading } from '../../../src/contract/remediation-text.ts';
import { allDetectors } from '../../../src/detectors/catalogue.ts';
import { type AuthorizedSource, authorizedSource, queuedScan } from '../../support/authorized-source.ts';
import { closeWindows, sharedBrowser } from '../../support/browser.ts';
import { eventRow, storeEvents } from '../../support/events.ts';
import { storeFindings } from '../../support/findings.ts';
import { addPerson, type TestPerson } from '../../support/people.ts';
import { type SharedService, sharedService } from '../../support/service.ts';
import { expectAccessible, expectFitsPhone, openPage, type WatchedPage } from '../../support/watched-page.ts';

/** A check whose fix has steps. */
const check = allDetectors()
  .flatMap(detector => detector.checks)
  .find(({ remediation }) => remediation.steps.length > 1)!;

let service: SharedService;
let browser: Browser;
let source: AuthorizedSource;
let person: TestPerson;
let admin: WatchedPage;
let at: (path: string) => string;
let ids: string[];
beforeAll(async () => {
  [service, browser] = await Promise.all([sharedService(), sharedBrowser()]);
  source = await authorizedSource(service);
  ids = await storeFindings(source, [
    {
      severity: 'critical',
      title: 'A file with secrets can be downloaded',
      locator: 'https://shop.example/.env',
    },
    {
      severity: 'high',
      title: 'The certificate has expired',
      category: check.id,
    },
    { severity: 'low', title: 'The server names its version', episodes: 2 },
    ...Array.from({ length: 60 }, (_, index) => ({
      severity: 'medium',
      title: `Flaw number ${index}`,
      category: 'website.flaw',
      createdAt: new Date(Date.now() - index * 3_600_000).toISOString(),
    })),
  ]);
  person = await addPerson(service, source.organizationId, 'admin', { steppedUp: true });
  admin = await openPage(browser, service, person);
  at = path => `/dashboard/o/${source.organizationId}/${path}`;
});
afterAll(() => closeWindows(browser));

const heading = ({ page }: WatchedPage, name: string) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

it('shows problems, severity, next steps and running scans on one screen', async () => {
  await queuedScan(source);
  const { page } = admin;
  await page.goto(at('overview'));
  await page.getByText('of 100').waitFor();
  await page.getByRole('link', { name: '1 Critical' }).waitFor();
  await page.getByText('Queued').waitFor();
  await expectAccessible(admin, 'overview');
  await expectFitsPhone(admin, 'overview');
  await page.getByRole('link', { name: '1 Critical' }).click();
  await heading(admin, 'Findings');
  await page.getByText('A file with secrets can be downloaded').waitFor();
  expect(await page.getByText('The certificate has expired').count()).toBe(0);
});

it('leads with the checks to fix first, on the overview and in the list, and opens their findings', async () => {
  const { page } = admin;
  await page.goto(at('overview'));
  await page.getByRole('region', { name: 'Fix first' }).getByRole('link', { name: 'Flaw number' }).click();
  await heading(admin, 'Findings');
  await page.getByText('Flaw number 0').waitFor();
  expect(await page.getByText('The certificate has expired').count()).toBe(0);
  expect(await page.getByRole('region', { name: 'Fix first' }).count()).toBe(0);
  await page.goto(at('findings'));
  const first = page.getByRole('region', { name: 'Fix first' }).getByRole('listitem');
  await first.first().waitFor();
  expect(await first.first().innerText()).toMatch(/^Critical\s+A file with secrets.+\s+2 findings$/);
  await expectAccessible(admin, 'findings');
  await expectFitsPhone(admin, 'findings');
});

it('opens a finding by a link of `parapet scan`, which names no organization', async () => {
  const { page } = admin;
  await page.goto(`/dashboard/findings/${ids[0]}`);
  const drawer = page.getByRole('dialog', { name: 'Finding' });
  await drawer.getByRole('heading', { name: 'A file with secrets can be downloaded' }).waitFor();
  expect(page.url()).toContain(at(`findings?finding=${ids[0]}`));
  await page.goto(`/dashboard/findings/${source.sourceId}`);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
});

it('opens and selects findings by keyboard alone', async () => {
  const { page } = admin;
  await page.goto(at('findings?severity=critical,high,low'));
  await page.getByRole('button', { name: 'A file with secrets' }).waitFor();
  await expectAccessible(admin, 'findings');
  await expectFitsPhone(admin, 'findings');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Finding' });
  await drawer.getByRole('heading', { name: 'The certificate has expired' }).waitFor();
  expect(page.url()).toContain(`finding=${ids[1]}`);
  for (const step of check.remediation.steps) {
    await drawer.getByText(stepHeading(step), { exact: true }).waitFor();
    await drawer
      .getByRole('button', { name: `Copy for ${step.product}` })
      .first()
      .waitFor();
  }
  await expectAccessible(admin, 'finding');
  await expectFitsPhone(admin, 'finding');
  await page.keyboard.press('k');
  await drawer.getByRole('heading', { name: 'A file with secrets' }).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  await expectAccessible(admin, 'selected findings');
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Next finding').waitFor();
  await expectAccessible(admin, 'shortcuts');
  // Shortcuts do not work behind a dialog.
  await page.keyboard.press('x');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(await page.getByText('1 selected').count()).toBe(0);
});

it('shows the exact time of a relative one by keyboard and touch', async () => {
  const { page } = admin;
  await page.goto(at('findings?severity=critical'));
  const time = page.locator('tbody time').first();
  const tooltip = page.getByRole('tooltip');
  const exact = /\d{4}, .*\d:\d\d:\d\d/;
  await page.getByRole('button', { name: 'A file with secrets' }).focus();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.tagName')).toBe('TIME');
  await expect.poll(() => tooltip.innerText()).toMatch(exact);
  await page.keyboard.press('Escape');
  await tooltip.waitFor({ state: 'detached' });
  await page.keyboard.press('Shift+Tab');
  await time.dispatchEvent('pointerdown', { pointerType: 'touch' });
  await expect.poll(() => tooltip.innerText()).toMatch(exact);
  // The row does not open.
  await time.click();
  expect(await page.getByRole('dialog').count()).toBe(0);
});

it('shows only the rows near the window of a long list, which the keyboard and selection cover', async () => {
  const long = await authorizedSource(service);
  const all = 240;
  await storeFindings(
    long,
    Array.from({ length: all }, (_, index) => ({
      title: `Flaw number ${index}`,
      locator: `https://shop.example/${'directory/'.repeat(12)}`,
      createdAt: new Date(Date.now() - index * 3_600_000).toISOString(),
    })),
  );
  const other = await openPage(browser, service, await addPerson(service, long.organizationId, 'admin'));
  const { page } = other;
  await page.setViewportSize({ width: 1024, height: 900 });
  await page.goto(`/dashboard/o/${long.organizationId}/findings`);
  const table = page.getByRole('table', { name: 'Findings' });
  for (let shown = 50; shown < all; shown += 50) {
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect
      .poll(() => table.getAttribute('aria-rowcount'))
      .toBe(shown < 100 ? null : `${Math.min(all, shown + 50) + 1}`);
  }
  const rows = page.locator('tr[data-row]');
  expect(await rows.count()).toBeLessThan(60);
  expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThan(4_000);
  /** Cells whose content reaches into the next one. */
  const crowded = () =>
    page.evaluate<string[]>(`[...document.querySelectorAll('tr[data-row] td')].flatMap(cell => {
      const end = cell.getBoundingClientRect().right + 1;
      return [...cell.querySelectorAll('*')].some(part => part.getBoundingClientRect().right > end) ? [cell.textContent] : [];
    })`);
  for (const width of [1024, 800, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(crowded, { message: `at ${width} pixels` }).toEqual([]);
  }
  await page.evaluate('scrollTo(0, 0)');
  await page.getByRole('row', { name: 'Flaw number 0' }).waitFor();
  await expectAccessible(other, 'a long list');
  // The keyboard continues at the active row, which people have scrolled away from.
  for (let count = 0; count < 3; count += 1) await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  const last = page.getByRole('row', { name: `Flaw number ${all - 1}` });
  await expect.poll(() => last.getAttribute('aria-rowindex')).toBe(`${all + 1}`);
  expect(await rows.count()).toBeLessThan(60);
  await page.getByText('1 selected').waitFor();
  await page.evaluate(`window.changes = 0;
    new MutationObserver(list => { window.changes += list.length; }).observe(document.body, { subtree: true, childList: true, attributes: true });`);
  await page.keyboard.press('j');
  await expect.poll(() => page.locator('tr[data-active]').getAttribute('aria-rowindex')).toBe('5');
  await expect
    .poll(() => page.locator('tr[data-active]').evaluate(row => row.getBoundingClientRect().top))
    .toBeGreaterThan(0);
  expect(await page.evaluate('window.changes')).toBeLessThan(500);
  await page.getByRole('checkbox', { name: 'Select all rows' }).click();
  await page.getByText(`${all} selected`).waitFor();
  // Going back shows the same rows at the same place, without loading them again.
  await page.evaluate('scrollTo(0, 7_000)');
  const place = () =>
    page.evaluate<{ row: string; top: number }>(`(() => {
      const row = [...document.querySelectorAll('tr[data-row]')].find(one => one.getBoundingClientRect().top > 200);
      return { row: row?.textContent, top: row?.getBoundingClientRect().top };
    })()`);
  await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const before = await place();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Systems' }).click();
  await page.getByRole('heading', { name: 'Systems', level: 1 }).waitFor();
  expect(await page.evaluate('scrollY')).toBe(0);
  await page.goBack();
  await expect.poll(place).toEqual({ row: before.row, top: expect.closeTo(before.top, -1) });
  await page.context().close();
});

it('finds findings by a part of their title, and loads more of them', async () => {
  const { page } = admin;
  await page.goto(at('findings'));
  await page.getByRole('button', { name: 'A file with secrets' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('NUMBER 59');
  await page.getByRole('button', { name: 'Flaw number 59' }).waitFor();
  expect(await page.locator('tbody tr').count()).toBe(1);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByRole('button', { name: 'The server names its version' }).waitFor();
});

it('does not let a pending search undo a link or close an opened finding', async () => {
  const { page, errors } = await openPage(browser, service, person);
  onTestFailed(async () => console.error('The page says:', errors, await page.innerText('body')));
  // Controls the delay after typing, so that it ends when the test decides.
  await page.addInitScript(`
    const { setTimeout } = window;
    const held = [];
    window.setTimeout = (run, delay, ...rest) =>
      delay === 250 ? -held.push(run) : setTimeout(run, delay, ...rest);
    // In one go, so that the page that the click leads to cannot appear in between.
    window.clickThenPause = target => {
      target.click();
      for (const run of held.splice(0)) run();
    };
  `);
  const clickThenPause = (target: Locator) =>
    target.evaluate((element, name) => Reflect.get(globalThis, name)(element), 'clickThenPause');
  await page.goto(at('sources'));
  await page.getByRole('link', { name: 'W Website' }).waitFor();
  await page.getByRole('searchbox').fill('website');
  await clickThenPause(page.getByRole('link', { name: 'Add source' }));
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(at('sources/new'));

  await page.goto(at('findings?severity=critical'));
  await page.getByRole('button', { name: 'A file with secrets' }).waitFor();
  await page.getByRole('searchbox').fill('secrets');
  await clickThenPause(page.getByRole('button', { name: 'A file with secrets' }));
  await page.waitForURL(/search=secrets/);
  expect(new URL(page.url()).search).toContain(`finding=${ids[0]}`);
  await page.getByRole('dialog', { name: 'Finding' }).waitFor();
});

it('accepts findings until a date, keeps the filters in the URL, and reopens', async () => {
  const { page } = admin;
  await page.goto(at('findings?severity=critical,high'));
  await page.getByRole('checkbox', { name: 'Select all rows' }).check();
  await page.getByRole('button', { name: 'Accept until…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Accept 2 findings' });
  await dialog.getByLabel('Reason').fill('Behind the VPN until the move');
  await expectAccessible(admin, 'triage');
  await dialog.getByRole('button', { name: 'Accept 2 findings' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('No findings match these filters').waitFor();
  await page.getByRole('button', { name: /^Accepted 2/ }).click();
  await page.getByRole('button', { name: 'The certificate has expired' }).click();
  const drawer = page.getByRole('dialog', { name: 'Finding' });
  await drawer.getByText('A admin accepted this finding').waitFor();
  await page.reload();
  await drawer.getByText('Behind the VPN until the move').waitFor();
  await drawer.getByRole('button', { name: 'Reopen…' }).click();
  await page.getByRole('dialog', { name: 'Reopen finding' }).getByRole('button', { name: 'Reopen' }).click();
  await drawer.getByText('A admin reopened this finding').waitFor();
  await drawer.getByRole('button', { name: 'Verify now' }).click();
  await drawer.getByText('Verifying…').waitFor();
  expect(admin.errors).toEqual([]);
});

it('saves a view, opens it again, and downloads the list as a file', async () => {
  const { page } = admin;
  await page.goto(at('findings?severity=low&order=newest'));
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save current filters…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save current filters as a view' });
  await dialog.getByLabel('Name').fill('Small ones');
  await expectAccessible(admin, 'save view');
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.goto(at('findings'));
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Small ones', exact: true }).click();
  await page.waitForURL(/severity=low/);
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /CSV/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^findings-.*\.csv$/);
});

it('takes a new system to a watched website', async () => {
  const { page } = admin;
  await page.goto(at('systems'));
  await page.getByRole('link', { name: 'S Site' }).waitFor();
  await expectAccessible(admin, 'systems');
  await expectFitsPhone(admin, 'systems');
  await page.getByRole('button', { name: 'Add system' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add system' });
  await dialog.getByLabel('Name').fill('Patient portal');
  await expectAccessible(admin, 'add a system');
  await dialog.getByRole('button', { name: 'Add system' }).click();
  await dialog.waitFor({ state: 'hidden' });

  await page.goto(at('sources'));
  await page.getByRole('link', { name: 'W Website' }).waitFor();
  await expectAccessible(admin, 'sources');
  await expectFitsPhone(admin, 'sources');
  await page.getByRole('link', { name: 'Add source' }).click();
  await heading(admin, 'Add source');
  await expectAccessible(admin, 'new source');
  await expectFitsPhone(admin, 'new source');
  await page.getByRole('combobox', { name: 'System' }).click();
  await page.getByRole('option', { name: 'Patient portal' }).click();
  await page.getByLabel('Name').fill('Portal front');
  await page.getByLabel('Domain or URL').fill('https://user:pw@portal.example');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('must not contain credentials').waitFor();
  await page.getByLabel('Domain or URL').fill('portal.example/home?from=mail#top');
  await page.getByLabel('Display name').focus();
  await page.getByText('Removed “?from=mail#top”').waitFor();
  expect(await page.getByLabel('Domain or URL').inputValue()).toBe('https://portal.example/home');
  await page.getByLabel('Domain or URL').fill('portal.example');
  await page.getByRole('button', { name: 'Continue' }).click();

  await heading(admin, 'Portal front');
  const accept = page.getByRole('button', { name: 'Accept risk' });
  await accept.waitFor();
  expect(await accept.isDisabled()).toBe(true);
  await expectAccessible(admin, 'draft');
  await expectFitsPhone(admin, 'draft');
  await page.getByLabel("I'm authorized to approve this").check();
  await accept.click();
  await page.getByRole('button', { name: 'Store credential' }).waitFor();
  await expectAccessible(admin, 'credential');
  await page.getByRole('textbox', { name: 'User name' }).fill('scanner');
  await page.locator('input[type=password]').fill('a-password-of-this-test');
  await page.getByRole('button', { name: 'Store credential' }).click();
  const steps = page.getByRole('region', { name: 'Setup' });
  await steps.getByRole('button', { name: 'Test connection' }).click();
  await steps.getByRole('button', { name: 'Authorize scans' }).click();
  await steps.getByRole('button', { name: 'Run first scan' }).click();
  await steps.getByRole('button', { name: 'Turn on Watch' }).click();
  await steps.waitFor({ state: 'hidden' });
  await page.getByText('On. Next scan').waitFor();
  await page.getByRole('button', { name: 'Get token' }).click();
  await page.getByText('_parapet-challenge.portal.example').waitFor();
  expect(await page.content()).not.toContain('a-password-of-this-test');
  // Content behind the sticky header cannot be clicked.
  await page.evaluate('scrollTo(0, 0)');
  await expectAccessible(admin, 'source');
  await expectFitsPhone(admin, 'source');
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Disconnect Portal front?' })
    .getByRole('button', { name: 'Disconnect source' })
    .click();
  await page.getByText('Add the host as a new source').waitFor();
  await expectAccessible(admin, 'disconnected source');
});

it('follows a scan, and stops it', async () => {
  const { page } = admin;
  await page.goto(at('scans'));
  await page.getByRole('link', { name: /^W/ }).first().waitFor();
  await expectAccessible(admin, 'scans');
  await expectFitsPhone(admin, 'scans');
  await page.getByRole('button', { name: 'Run scan' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run safe scan' });
  await dialog.getByRole('combobox', { name: 'System' }).click();
  await page.getByRole('option', { name: 'S', exact: true }).click();
  await expectAccessible(admin, 'start a scan');
  await dialog.getByRole('button', { name: 'Run scan' }).click();
  await heading(admin, 'Safe scan of S');
  await page.getByText('No runs yet').waitFor();
  await expectAccessible(admin, 'scan');
  await expectFitsPhone(admin, 'scan');
  await page.getByRole('button', { name: 'Stop scan' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop scan' }).click();
  await page.getByText('Canceled').waitFor();
  expect(admin.errors).toEqual([]);
});

it('shows events of probes and Shield over time', async () => {
  for (const [channel, kind] of [
    ['events', 'probe.started'],
    ['shield', 'request.blocked'],
  ] as const) {
    const rows = Array.from({ length: 30 }, (_, n) =>
      eventRow({ kind, occurredAt: new Date(Date.now() - (2 * n + 1) * 3_600_000).toISOString() }),
    );
    await storeEvents(service.storage.events, { ...source, channel }, rows);
  }
  const { page } = admin;
  await page.goto(at('events'));
  await page.getByText('60 events by day (UTC)').waitFor();
  await page.locator('.recharts-bar-rectangle path').last().waitFor();
  await expectAccessible(admin, 'events');
  await expectFitsPhone(admin, 'events');
  await page.getByRole('combobox', { name: 'Channel' }).click();
  await page.getByRole('option', { name: 'Shield' }).click();
  await page.getByText('30 events by day (UTC)').waitFor();
  await page.getByRole('combobox', { name: 'Retention' }).click();
  await page.getByRole('option', { name: 'Kept for 30 days' }).click();
  await expectAccessible(admin, 'change the retention');
  await page.getByRole('button', { name: 'Change retention' }).click();
  await page.getByText('Retention changed').waitFor();
  await expect
    .poll(() => page.getByRole('combobox', { name: 'Retention' }).inputValue())
    .toBe('Kept for 30 days');
  expect(admin.errors).toEqual([]);
});

it('shows the next step in empty states, and lets members only read', async () => {
  const organizationId = await service.createOrganization();
  const empty = await openPage(browser, service, await addPerson(service, organizationId, 'admin'));
  for (const [section, text] of [
    ['overview', 'Get started'],
    ['findings', 'Not scanned'],
    ['systems', 'No systems yet'],
    ['sources', 'No sources yet'],
    ['sources/new', 'Add a system first'],
    ['scans', 'No scans yet'],
    ['events', 'No events in the last 7 days'],
    ['shield', 'No website has Shield'],
  ]) {
    await empty.page.goto(`/dashboard/o/${organizationId}/${section}`);
    await empty.page.getByRole('heading', { name: text! }).waitFor();
    await expectAccessible(empty, `${section}, empty`);
    await expectFitsPhone(empty, `${section}, empty`);
  }
  const member = await openPage(browser, service, await addPerson(service, source.organizationId, 'member'));
  await member.page.goto(at(`findings?status=any&finding=${ids[0]}`));
  await member.page
    .getByRole('dialog', { name: 'Finding' })
    .getByRole('heading', { name: 'Details' })
    .waitFor();
  expect(await member.page.getByRole('button', { name: /Accept until|False positive…|Verify/ }).count()).toBe(
    0,
  );
  await member.page.goto(at(`sources/${source.sourceId}`));
  await member.page.getByText('An admin can change this.').waitFor();
  expect(await member.page.getByRole('button', { name: /Disconnect|Run scan|Store/ }).count()).toBe(0);
});
