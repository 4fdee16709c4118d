import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSource } from '../../../src/resources/sources/sources.ts';
import { processEvents } from '../../../src/worker/tasks/process-events.ts';
import { assessmentsOf, storeAssessments } from '../../support/assessments.ts';
import { type AuthorizedSource, authorizedSource, queuedScan } from '../../support/authorized-source.ts';
import { closeWindows, sharedBrowser } from '../../support/browser.ts';
import { addPerson } from '../../support/people.ts';
import { asOwner } from '../../support/postgres.ts';
import { type SharedService, sharedService } from '../../support/service.ts';
import {
  crowdsecHeartbeat,
  heartbeat,
  requests,
  shieldEvent,
  shieldPath,
} from '../../support/shield-events.ts';
import { call } from '../../support/signing-client.ts';
import { expectAccessible, expectFitsPhone, openPage, type WatchedPage } from '../../support/watched-page.ts';

let service: SharedService;
let browser: Browser;
let source: AuthorizedSource;
let admin: WatchedPage;
let at: (path: string) => string;
beforeAll(async () => {
  [service, browser] = await Promise.all([sharedService(), sharedBrowser()]);
  source = await authorizedSource(service);
  admin = await openPage(
    browser,
    service,
    await addPerson(service, source.organizationId, 'admin', { steppedUp: true }),
  );
  at = path => `/dashboard/o/${source.organizationId}/${path}`;
});
afterAll(() => closeWindows(browser));

it('turns Shield on with what to run, shows what was blocked, and turns it off', async () => {
  const { page } = admin;
  await page.goto(at('shield'));
  await page.getByRole('heading', { name: 'No website has Shield' }).waitFor();
  await expectAccessible(admin, 'shield, empty');
  await expectFitsPhone(admin, 'shield, empty');
  await page.goto(at(`sources/${source.sourceId}`));
  await page.getByRole('button', { name: 'Turn on Shield' }).click();
  await page.getByText('parapet-probe shield init').waitFor();
  await page.getByText('reaches this service from its own machine only').waitFor();
  await expectAccessible(admin, 'source waiting for Shield');
  await expectFitsPhone(admin, 'source waiting for Shield');

  const { organizationId, systemId } = source;
  const key = await service.mint(organizationId, { kind: 'probe', systemId });
  const events = [
    heartbeat(),
    requests([{}, { action: 'detected', path: '/login', count: 4 }, { host: 'old.example' }]),
  ];
  expect((await call(service.url, key, 'POST', shieldPath, { events })).json.rejected).toEqual([]);
  await processEvents({ storage: service.storage, log: () => {} });
  await page.goto(at(`sources/${source.sourceId}`));
  await page.getByText('10 blocked and 4 detected requests, by day (UTC)', { exact: true }).waitFor();
  const included = page.getByText("Requests of Parapet's scans and probes are counted too.");
  expect(await included.count()).toBe(0);
  const scanId = await queuedScan(source);
  await asOwner(service.database.connection, client =>
    client.query(
      storeAssessments(
        assessmentsOf(
          organizationId,
          source.sourceId,
          scanId,
          `('website.tls.expired', 'passed', null, now())`,
        ),
      ),
    ),
  );
  await page.reload();
  await included.waitFor();
  const paths = page.getByRole('table', { name: 'Path' });
  await paths.getByRole('row', { name: '/login 0 4' }).waitFor();
  await page.getByText('24 hours').click();
  await page.getByText('10 blocked and 4 detected requests, by hour (UTC)', { exact: true }).waitFor();
  await expectAccessible(admin, 'source with Shield');
  await expectFitsPhone(admin, 'source with Shield');
  // Two numbers per row fit a phone as a table, which is much shorter than cards.
  const desktop = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 740 });
  await paths.getByRole('columnheader', { name: 'Blocked' }).waitFor();
  await page.setViewportSize(desktop);
  await page.goto(at('shield'));
  await page
    .getByRole('table', { name: 'Websites with Shield' })
    .getByRole('row', { name: /On .*10 4/ })
    .waitFor();
  await page.getByRole('table', { name: 'Forwarders' }).getByText('Blocks').waitFor();
  const unknown = page.getByRole('table', { name: 'Seen, not a source yet' });
  await unknown.getByRole('row', { name: /old\.example.*Firewall/ }).waitFor();
  await expectAccessible(admin, 'shield');
  await expectFitsPhone(admin, 'shield');

  // Its only log cannot be read: nothing is counted from now on.
  const moved = { events: [heartbeat({ problem: 'log_missing' })] };
  expect((await call(service.url, key, 'POST', shieldPath, moved)).json.rejected).toEqual([]);
  await processEvents({ storage: service.storage, log: () => {} });
  await page.reload();
  await page.getByRole('table', { name: 'Websites with Shield' }).getByText('On, log unreadable').waitFor();
  await expectAccessible(admin, 'shield with an unreadable log');
  const found = { events: [heartbeat()] };
  expect((await call(service.url, key, 'POST', shieldPath, found)).json.rejected).toEqual([]);
  await processEvents({ storage: service.storage, log: () => {} });

  const member = await openPage(browser, service, await addPerson(service, organizationId, 'member'));
  await member.page.goto(at(`sources/${source.sourceId}`));
  await member.page.getByText('10 blocked and 4 detected requests, by day (UTC)', { exact: true }).waitFor();
  expect(await member.page.getByRole('button', { name: /Shield/ }).count()).toBe(0);

  // Another source of the same host: it is told where requests are counted.
  const other = await source.person.transaction(transaction =>
    createSource(transaction, { system_id: systemId, name: 'B', kind: 'website', host: 'shop.example:8443' }),
  );
  await page.goto(at(`sources/${other.id}`));
  await page.getByRole('button', { name: 'Turn on Shield' }).click();
  await page.getByText('Requests for this host are counted for W').waitFor();
  await expectAccessible(admin, 'source whose requests are counted for another');
  await page.getByRole('link', { name: 'W', exact: true }).click();
  await page.getByRole('button', { name: 'Turn off Shield' }).click();
  const asked = page.getByRole('dialog', { name: 'Turn off Shield for W?' });
  await asked.getByText('are not counted').waitFor();
  await expectAccessible(admin, 'turning off Shield');
  await expectFitsPhone(admin, 'turning off Shield');
  await asked.getByRole('button', { name: 'Turn off Shield' }).click();
  await page.getByText('Off. Turn on Shield').waitFor();
  // It was also on for the other one, which is assessed on.
  await page.goto(at('shield'));
  const forwarders = page.getByRole('table', { name: 'Forwarders' });
  await forwarders.getByText('On', { exact: true }).waitFor();
  await page.goto(at(`sources/${other.id}`));
  await page.getByRole('button', { name: 'Turn off Shield' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off Shield' }).click();
  await page.getByText('Off. Turn on Shield').waitFor();
  await page.goto(at('shield'));
  await forwarders.getByText('Not counted or assessed: no website of its system has Shield on.').waitFor();
  await expectAccessible(admin, 'shield, turned off');
  await expectFitsPhone(admin, 'shield, turned off');

  // What was counted before is shown again, instead of how to set up a firewall.
  await page.goto(at(`sources/${source.sourceId}`));
  await page.getByRole('button', { name: 'Turn on Shield' }).click();
  await page.getByRole('button', { name: 'Turn off Shield' }).waitFor();
  // Without the notification, which covers a part of the page on a phone.
  await page.reload();
  await page.getByText(/No firewall has reported a request for .* since Shield was turned on/).waitFor();
  await page.getByText('10 blocked and 4 detected requests, by day (UTC)', { exact: true }).waitFor();
  expect(await page.getByText('parapet-probe shield init').count()).toBe(0);
  await expectAccessible(admin, 'source with Shield turned on again');
  await expectFitsPhone(admin, 'source with Shield turned on again');
});

it('shows what only CrowdSec reports as of the system, without counts of requests', async () => {
  const { organizationId, systemId, sourceId } = await authorizedSource(service);
  const owner = await openPage(
    browser,
    service,
    await addPerson(service, organizationId, 'owner', { steppedUp: true }),
  );
  const { page } = owner;
  await page.goto(`/dashboard/o/${organizationId}/sources/${sourceId}`);
  await page.getByRole('button', { name: 'Turn on Shield' }).click();
  await page.getByText('parapet-probe shield init').waitFor();
  const key = await service.mint(organizationId, { kind: 'probe', systemId });
  const now = new Date().toISOString();
  const about = { scope: 'ip', network: '192.0.2.0/24', scenario: 'crowdsecurity/http-probing' };
  const alert = { ...about, events: 11, created_at: now, start_at: now, stop_at: now, simulated: true };
  const decision = { ...about, type: 'ban', remaining_seconds: 3_600, origin: 'cscli' };
  const active = { crowdsec: 0, cscli: 1, capi: 15_000, lists: 0, other: 0 };
  const events = [
    crowdsecHeartbeat(),
    shieldEvent('shield.alerts', { alerts: [{ alert: 1, ...alert }], more: 9 }),
    shieldEvent('shield.dropped', { reason: 'spool_full', count: 12, from: null, to: null }),
    shieldEvent('shield.decisions', { decisions: [{ decision: 1, ...decision }], active }),
  ];
  expect((await call(service.url, key, 'POST', shieldPath, { events })).json.rejected).toEqual([]);
  await processEvents({ storage: service.storage, log: () => {} });
  await page.reload();
  await page.getByText('On, CrowdSec only').waitFor();
  await page.getByText('what was blocked is not counted').waitFor();
  const counts = '1 alert, 1 active decision and 15,000 from lists';
  await page.getByText(`For the whole system: ${counts}.`).waitFor();
  await page
    .getByRole('table', { name: 'CrowdSec alerts' })
    .getByText('crowdsecurity/http-probing (simulated)')
    .waitFor();
  await page.getByRole('table', { name: 'CrowdSec decisions' }).getByText('Operator').waitFor();
  // Cards on a phone have no caption that is shown.
  await page.getByRole('heading', { name: 'CrowdSec decisions' }).waitFor();
  await page.getByRole('heading', { name: 'CrowdSec alerts' }).waitFor();
  await expectAccessible(owner, 'source with CrowdSec only');
  await expectFitsPhone(owner, 'source with CrowdSec only');
  await page.goto(`/dashboard/o/${organizationId}/shield`);
  await page
    .getByRole('table', { name: 'Websites with Shield' })
    .getByRole('row', { name: /CrowdSec only .*– –/ })
    .waitFor();
  await page.getByText(`CrowdSec of edge (S): ${counts}.`).waitFor();
  const dropped = '12 events dropped because the spool or the disk was full, or they were too old';
  const ignored = '9 ignored, the last because they were too many to read';
  await page.getByText(`Not counted of edge (S): ${dropped}; ${ignored}.`).waitFor();
  await expectAccessible(owner, 'shield with CrowdSec');
  await expectFitsPhone(owner, 'shield with CrowdSec');
});
