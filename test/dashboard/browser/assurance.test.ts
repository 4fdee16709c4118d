import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFixture, type Fixture } from '../../api/routes.ts';
import { assessmentsOf, storeAssessments } from '../../support/assessments.ts';
import { closeWindows, sharedBrowser } from '../../support/browser.ts';
import { addPerson, type TestPerson } from '../../support/people.ts';
import { asOwner } from '../../support/postgres.ts';
import { type SharedService, sharedService } from '../../support/service.ts';
import { unzip } from '../../support/unzip.ts';
import { expectAccessible, expectFitsPhone, openPage, type WatchedPage } from '../../support/watched-page.ts';

let service: SharedService;
let browser: Browser;
let fixture: Fixture;
let admin: TestPerson;
let window: WatchedPage;
beforeAll(async () => {
  [service, browser] = await Promise.all([sharedService(), sharedBrowser()]);
  fixture = await createFixture(service);
  admin = await addPerson(service, fixture.organizationId, 'admin');
  window = await openPage(browser, service, admin);
  await asOwner(service.database.connection, async client => {
    const { organizationId, sourceId, scanId, findingId } = fixture;
    await client.query(
      `update findings set category = 'tls.legacy_protocol', title = 'Old protocol versions are accepted',
        seen = 'The server took TLS 1.0.' where id = $1`,
      [findingId],
    );
    await client.query(
      storeAssessments(
        assessmentsOf(
          organizationId,
          sourceId,
          scanId,
          `('tls.legacy_protocol', 'observed', null, now()), ('cookies.no_expiry', 'passed', null, now()),
            ('tls.weak_cipher', 'not_assessed', 'The handshake was cut off.', now())`,
        ),
      ),
    );
    await client.query(
      `update scans set status = 'completed', verdict = 'fail', started_at = now(), finished_at = now() where id = $1`,
      [scanId],
    );
  });
});
afterAll(() => closeWindows(browser));

const open = async (section: string, { page } = window) => {
  await page.goto(`/dashboard/o/${fixture.organizationId}/${section}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
};

// axe is slow on a page with 65 controls, in two color schemes and two widths.
it('shows the next step in empty states', { timeout: 150_000 }, async () => {
  const fresh = await addPerson(service, await service.createOrganization(), 'owner');
  const [organization] = (await fresh.client.session()).organizations;
  const other = await openPage(browser, service, fresh);
  for (const [section, text] of [
    ['controls', 'No controls are supported yet'],
    ['evidence', 'No evidence yet'],
    ['audit', 'created organization'],
  ] as const) {
    await other.page.goto(`/dashboard/o/${organization!.id}/${section}`);
    await other.page.getByRole('main').getByText(text).waitFor();
    await expectAccessible(other, `empty ${section}`);
    await expectFitsPhone(other, `empty ${section}`);
  }
  await other.context.close();
});

it('shows every control with its checks, and saves notes and attestations', {
  timeout: 150_000,
}, async () => {
  const { page } = window;
  await open('controls');
  const row = page.getByRole('row', { name: /164\.312\(e\)\(2\)\(ii\)/ });
  await row.getByText('Attention').waitFor();
  await expectAccessible(window, 'controls');
  await expectFitsPhone(window, 'controls');
  await page
    .getByRole('group', { name: 'Status' })
    .getByRole('button', { name: /Needs attention/ })
    .click();
  await page.getByText('Workstation use').waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('state')).toBe('attention');

  await row.getByRole('button').click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('The server took TLS 1.0.').waitFor();
  await drawer.getByText('The handshake was cut off.').waitFor();
  await expectAccessible(window, 'a control');
  await expectFitsPhone(window, 'a control');
  await drawer.getByRole('button', { name: 'Add note' }).click();
  await drawer.getByRole('textbox', { name: 'Note' }).fill('Ada turns it off in January.');
  await drawer.getByRole('button', { name: 'Save note' }).click();
  await drawer.getByText('Ada turns it off in January.').waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: /^Workstation use/ }).press('Enter');
  await drawer.getByRole('button', { name: 'Attest control' }).click();
  const dialog = page.getByRole('dialog', { name: 'Attest 164.310(b)' });
  await dialog.getByLabel('Statement').fill('Workstations are for work: see policy 3.');
  await expectAccessible(window, 'attest');
  await dialog.getByRole('button', { name: 'Attest control' }).click();
  await drawer.getByText('Workstations are for work: see policy 3.').waitFor();
  await drawer.getByText('Attested without evidence. Link evidence to support this control.').waitFor();
  await drawer.getByText('No evidence linked.').waitFor();
  await drawer.getByRole('button', { name: 'Withdraw attestation' }).click();
  await page.getByLabel('Reason').fill('The policy has changed.');
  await page
    .getByRole('dialog', { name: 'Withdraw attestation' })
    .getByRole('button', { name: 'Withdraw attestation' })
    .click();
  await drawer.getByText('The policy has changed.').waitFor();
  await drawer.getByText('Not assessed').first().waitFor();
  expect(window.errors).toEqual([]);
});

it('stores snapshots and files, and creates an audit pack that opens', async () => {
  const { page } = window;
  await open('evidence');
  await page.getByText('No evidence yet').waitFor();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Take snapshot' }).first().click();
  await dialog.getByRole('button', { name: 'Take snapshot' }).click();
  await page.getByRole('link', { name: /^controls-/ }).waitFor();
  await page.getByRole('button', { name: 'Take snapshot' }).click();
  await page.getByLabel('A finished scan').check();
  await page.getByRole('combobox', { name: 'Scan' }).click();
  await page.getByRole('option', { name: /^Front/ }).click();
  await expectAccessible(window, 'snapshot');
  await dialog.getByRole('button', { name: 'Take snapshot' }).click();
  await page.getByRole('link', { name: /^scan-/ }).waitFor();

  await page.getByRole('button', { name: 'Upload file' }).click();
  const content = Buffer.from('# Policy 3\n');
  const choose = (name: string) =>
    dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/pdf', buffer: content });
  await choose('policy.pdf');
  await expectAccessible(window, 'upload');
  await dialog.getByRole('button', { name: 'Upload file' }).click();
  await page.getByText(/with a matching extension/).waitFor();
  await choose('policy 3.md');
  await dialog.getByRole('button', { name: 'Upload file' }).click();
  const link = page.getByRole('link', { name: 'policy 3.md' });
  await link.waitFor();
  await page.getByText('3 items').waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect((await readFile(await download.path())).equals(content)).toBe(true);
  await expectAccessible(window, 'evidence');
  await expectFitsPhone(window, 'evidence');

  await page.getByRole('button', { name: 'Audit pack' }).click();
  await expectAccessible(window, 'audit pack');
  const [pack] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download audit pack' }).click(),
  ]);
  expect(pack.suggestedFilename()).toMatch(/^audit-pack-[\d-]+\.zip$/);
  const entries = [...(await unzip(await readFile(await pack.path()))).keys()];
  expect(entries).toHaveLength(16);
  expect(entries.at(-1)).toBe('SHA256SUMS');
  await page.getByRole('button', { name: 'Close' }).last().click();
  expect(window.errors).toEqual([]);
});

it('links evidence to an attestation, which then supports its control', async () => {
  const { page } = window;
  await open('controls?control=164.310(c)');
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Attest control' }).click();
  const dialog = page.getByRole('dialog', { name: 'Attest 164.310(c)' });
  await dialog.getByLabel('Statement').fill('Screens lock after five minutes.');
  await dialog.getByRole('button', { name: 'Attest control' }).click();
  await drawer.getByText('Attested, not proven').waitFor();
  await drawer.getByRole('button', { name: 'Link evidence' }).click();
  const linking = page.getByRole('dialog', { name: 'Link evidence to 164.310(c)' });
  await linking.getByRole('combobox', { name: 'Evidence' }).click();
  await page.getByRole('option', { name: /^policy 3\.md/ }).click();
  await linking.getByText('Links are part of the record').click();
  await expectAccessible(window, 'link evidence');
  await linking.getByRole('button', { name: 'Link evidence' }).click();
  await drawer.getByText('Attested with evidence.').waitFor();
  await drawer.getByRole('link', { name: 'policy 3.md' }).waitFor();
  await expectAccessible(window, 'an attestation with evidence');
  expect(window.errors).toEqual([]);
});

it('saves a scan as evidence from the scan’s page', async () => {
  const { page } = window;
  await open(`scans/${fixture.scanId}`);
  await page.getByRole('button', { name: 'Save as evidence' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save this scan as evidence?' });
  await dialog.getByRole('button', { name: 'Save as evidence' }).click();
  await page.getByText(/^scan-.* saved as evidence$/).waitFor();
  await open('evidence?kind=scan');
  await page.getByText('4 items').waitFor();
  expect(await page.getByRole('link', { name: /^scan-/ }).count()).toBe(2);
  expect(window.errors).toEqual([]);
});

it('shows who did what, filters it, and verifies the chain', async () => {
  const { page } = window;
  await open('audit');
  await page.getByRole('button', { name: /A admin created an audit pack for Test/ }).waitFor();
  await page.getByRole('button', { name: 'Verify chain' }).click();
  await page.getByText(/^All \d+ entries verified$/).waitFor();
  await expectAccessible(window, 'audit log');
  await expectFitsPhone(window, 'audit log');
  await page.getByRole('combobox', { name: 'Actor' }).fill('service');
  await page.getByRole('option', { name: 'The service' }).click();
  await page.getByText('No entries match these filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('combobox', { name: 'Action' }).fill('attested');
  await page.getByRole('option', { name: 'control: attested control' }).click();
  const entry = page.getByRole('button', { name: 'A admin attested control 164.310(b)' });
  await entry.click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('control.attested').waitFor();
  await expectAccessible(window, 'an entry');
  await expectFitsPhone(window, 'an entry');
  await drawer.getByRole('link', { name: '164.310(b)' }).click();
  await page.getByRole('heading', { level: 1, name: 'Controls' }).waitFor();
  await page.getByRole('dialog').getByText('Workstation use').waitFor();
  await open('audit');
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV (spreadsheets)' }).click(),
  ]);
  expect((await readFile(await download.path(), 'utf8')).split('\r\n')[0]).toMatch(
    /^"sequence","occurred_at",/,
  );
  expect(window.errors).toEqual([]);
});

it('lets a member only read controls and evidence', async () => {
  const member = await addPerson(service, fixture.organizationId, 'member');
  const reading = await openPage(browser, service, member);
  await reading.page.goto(`/dashboard/o/${fixture.organizationId}/controls?control=164.310(b)`);
  await reading.page.getByRole('dialog').getByText('The policy has changed.').waitFor();
  expect(
    await reading.page
      .getByRole('button', { name: /Attest control|Renew|Link evidence|Add note|Take snapshot/ })
      .count(),
  ).toBe(0);
  await reading.page.goto(`/dashboard/o/${fixture.organizationId}/evidence`);
  await reading.page.getByRole('link', { name: 'policy 3.md' }).waitFor();
  expect(
    await reading.page.getByRole('button', { name: /^(Upload file|Audit pack|Take snapshot)$/ }).count(),
  ).toBe(0);
  await reading.page.goto(`/dashboard/o/${fixture.organizationId}/audit`);
  await reading.page.getByText('Page not found').waitFor();
  expect(reading.errors).toEqual([]);
  await reading.context.close();
});
