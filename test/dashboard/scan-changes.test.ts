import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { ObservedFlaw } from '../../src/domain/finding-changes.ts';
import { saveConclusions } from '../../src/resources/findings/scan-results.ts';
import { finishScanIfDone } from '../../src/resources/scans/end-scan.ts';
import { endRuns, planAndStartRuns } from '../../src/resources/scans/scan-runs.ts';
import { type AuthorizedSource, authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
let source: AuthorizedSource;
let member: TestPerson;
beforeAll(async () => {
  service = await sharedService();
  source = await authorizedSource(service);
  member = await addPerson(service, source.organizationId, 'member');
});

const flaw = (title: string, severity: 'high' | 'low' = 'high'): ObservedFlaw => ({
  ...{ fingerprint: randomUUID(), formerFingerprints: [], category: 'tls.expired', subject: null },
  ...{ locator: 'https://shop.example', severity, title, remediation: 'r', seen: 's', hipaa: false },
});

interface Changes {
  readonly opened?: readonly ObservedFlaw[];
  readonly reopened?: readonly { id: string; flaw: ObservedFlaw }[];
  readonly resolved?: readonly string[];
}

/** A finished scan with these changes. Returns its id. */
async function scanWith(changes: Changes): Promise<string> {
  const scanId = await queuedScan(source);
  await source.store.transaction(transaction =>
    planAndStartRuns(transaction, scanId, source.sourceId, ['website.tls']),
  );
  await source.store.transaction(async transaction => {
    await transaction.query({
      text: 'select from sources where id = $1 for update',
      values: [source.sourceId],
    });
    const scanned = {
      source: { id: source.sourceId, system_id: source.systemId },
      scanId,
      lookedAt: new Date().toISOString(),
    };
    await saveConclusions(transaction, scanned, {
      changes: { opened: [], reopened: [], updated: [], resolved: [], ...changes },
      outcomes: [
        { check: 'tls.expired', outcome: 'observed', reason: null },
        { check: 'tls.weak_key', outcome: 'not_assessed', reason: 'The certificate was not read.' },
      ],
    });
    const runs = await transaction.query<{ id: string; detector: string }>({
      text: 'select id, detector from scan_runs where scan_id = $1',
      values: [scanId],
    });
    await endRuns(
      transaction,
      runs.map(run => ({ ...run, status: 'succeeded' as const })),
    );
    await finishScanIfDone(transaction, scanId);
  });
  return scanId;
}

const changesOf = async (scanId: string) => {
  const path = `/organizations/${source.organizationId}/scans/${scanId}/changes`;
  return (await member.client.request('GET', path)).json;
};

it('lists what each scan opened, reopened and resolved, and what it could not assess', async () => {
  const [one, two] = [flaw('One'), flaw('Two', 'low')];
  const first = await scanWith({ opened: [two, one] });
  const opened = (await changesOf(first)).opened;
  expect(opened).toMatchObject({ total: 2, findings: [{ title: 'One' }, { title: 'Two', severity: 'low' }] });
  const [id] = opened.findings.map((finding: { id: string }) => finding.id);
  const second = await scanWith({ resolved: [id] });
  const third = await scanWith({ reopened: [{ id, flaw: one }], opened: [flaw('Three')] });
  const [was, then, now] = [await changesOf(first), await changesOf(second), await changesOf(third)];
  const none = { total: 0, findings: [] };
  expect(was).toMatchObject({ opened, reopened: none, resolved: none, still_open: 0, is_latest: false });
  expect(was.not_assessed, 'a later scan replaced its outcomes').toEqual({ total: 0, checks: [] });
  expect(then).toMatchObject({
    ...{ opened: none, reopened: none, still_open: 1, is_latest: false },
    resolved: { total: 1, findings: [{ id, title: 'One', status: 'open' }] },
  });
  expect(now).toMatchObject({
    opened: { total: 1, findings: [{ title: 'Three' }] },
    reopened: { total: 1, findings: [{ id }] },
    resolved: none,
    still_open: 1,
    is_latest: true,
  });
  expect(now.not_assessed).toMatchObject({
    total: 1,
    checks: [{ check: 'tls.weak_key', reason: 'The certificate was not read.', source: { name: 'W' } }],
  });
});

it('counts in the list what each scan opened and resolved', async () => {
  const first = await scanWith({ opened: [flaw('A'), flaw('B')] });
  const [id] = (await changesOf(first)).opened.findings.map((finding: { id: string }) => finding.id);
  const second = await scanWith({ resolved: [id], opened: [flaw('C')] });
  const list = await member.client.request('GET', `/organizations/${source.organizationId}/scans`);
  const counts = Object.fromEntries(
    list.json.scans.map((scan: { id: string; opened: number; resolved: number }) => [
      scan.id,
      [scan.opened, scan.resolved],
    ]),
  );
  expect([counts[first], counts[second]]).toEqual([
    [2, 0],
    [1, 1],
  ]);
});

it('counts what it does not list', async () => {
  const scan = await scanWith({ opened: Array.from({ length: 25 }, (_, index) => flaw(`F${index}`)) });
  const { opened } = await changesOf(scan);
  expect([opened.total, opened.findings.length]).toEqual([25, 20]);
});
