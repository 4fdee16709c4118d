import { beforeAll, expect, it } from 'vitest';
import { listAssessments } from '../../src/resources/findings/check-assessments.ts';
import {
  applyFindingChanges,
  episodesPerFinding,
  storedFindings,
} from '../../src/resources/findings/finding-changes.ts';
import { findingsPerSource } from '../../src/scan/reconcile.ts';
import { placesPerScan } from '../../src/scan/report-bounds.ts';
import { reconcileAndSave } from '../../src/worker/tasks/inspect-source.ts';
import { authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const flaw = (fingerprint: string, formerFingerprints: string[] = []) => ({
  fingerprint,
  formerFingerprints,
  category: 'tls.a',
  locator: fingerprint,
  subject: null,
  severity: 'low' as const,
  title: 't',
  remediation: 'r',
  seen: 's',
  hipaa: false,
});

it('stores as many findings as a scan may report, and reads those that the next one can change', async () => {
  const source = await authorizedSource(service);
  const target = { ...source, scanId: await queuedScan(source) };
  const opened = Array.from({ length: placesPerScan }, (_, index) => flaw(`${index}`));
  const none = { opened: [], reopened: [], updated: [], resolved: [] };
  const [known, all] = await source.store.transaction(async transaction => {
    await applyFindingChanges(transaction, target, { ...none, opened });
    const all = await storedFindings(transaction, source.sourceId, []);
    await applyFindingChanges(transaction, target, { ...none, resolved: all.slice(1).map(({ id }) => id) });
    const past = all.slice(1).map(({ fingerprint }) => fingerprint);
    const seen = [flaw(past[0]!), flaw('new', [past[1]!])];
    return [await storedFindings(transaction, source.sourceId, seen), all];
  });
  expect(all).toHaveLength(placesPerScan);
  const expected = all.slice(0, 3).map((finding, index) => ({ ...finding, observed: index === 0 }));
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  expect(known.toSorted(byId), 'not the history of the others').toEqual(expected.toSorted(byId));
});

it('refuses a finding whose system is not that of its source', async () => {
  const [source, other] = [await authorizedSource(service), await authorizedSource(service)];
  const [system] = await source.store.transaction(transaction =>
    transaction.query<{ id: string }>({
      text: "insert into systems (name, environment, kind) values ('Other', 'test', 'api') returning id",
    }),
  );
  const scanId = await queuedScan(source);
  const store = (target: { sourceId: string; systemId: string }) =>
    source.store.transaction(transaction =>
      applyFindingChanges(
        transaction,
        { ...target, scanId },
        { opened: [flaw('x')], reopened: [], updated: [], resolved: [] },
      ),
    );
  const refused = /findings_source/;
  const { sourceId, systemId } = source;
  await expect(store({ sourceId, systemId: system!.id })).rejects.toThrow(refused);
  await expect(store({ sourceId: other.sourceId, systemId: other.systemId })).rejects.toThrow(refused);
  await store({ sourceId, systemId });
});

it('does not let a target fill the disk: findings beyond the limit are reported as not assessed', async () => {
  const source = await authorizedSource(service);
  const scanId = await queuedScan(source);
  const look = { source: { id: source.sourceId, system_id: source.systemId }, scanId, category: null };
  const lookedAt = new Date().toISOString();
  const seen = [{ ...flaw('new'), category: 'tls.no_tls13' }];
  const outcomes = [{ check: 'tls.no_tls13', outcome: 'observed' as const, reason: null }];
  const inspection = {
    runs: [],
    seen,
    outcomes,
    assessed: new Set<string>(),
    places: new Map(),
    covered: new Map(),
  };
  const [count, assessments] = await source.store.transaction(async transaction => {
    await transaction.query({
      text: `insert into findings (system_id, source_id, fingerprint, category, locator, severity, title, remediation, seen,
          hipaa, observed)
        select $1, $2, 'past' || n, 'tls.a', n::text, 'low', 't', 'r', 's', false, false from generate_series(1, $3::int) as n`,
      values: [source.systemId, source.sourceId, findingsPerSource],
    });
    await reconcileAndSave(transaction, { ...look, lookedAt }, inspection, []);
    const rows = await transaction.query<{ count: number }>({
      text: 'select count(*)::int as count from findings where source_id = $1',
      values: [source.sourceId],
    });
    return [rows[0]!.count, await listAssessments(transaction, source.sourceId)];
  });
  expect(count).toBe(findingsPerSource);
  expect(assessments).toEqual([
    {
      check: 'tls.no_tls13',
      outcome: 'not_assessed',
      reason: expect.stringMatching(/the limit of stored findings/),
    },
  ]);
});

it('does not take a scan with a clock that was ahead for the newest', async () => {
  const source = await authorizedSource(service);
  const scanId = await queuedScan(source);
  const look = { source: { id: source.sourceId, system_id: source.systemId }, scanId, category: null };
  const after = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const outcome = (is: 'passed' | 'observed') => [{ check: 'tls.no_tls13', outcome: is, reason: null }];
  const clean = {
    runs: [],
    seen: [],
    outcomes: outcome('passed'),
    assessed: new Set<string>(),
    places: new Map(),
    covered: new Map(),
  };
  const seen = [{ ...flaw('now'), category: 'tls.no_tls13' }];
  const kept = await source.store.transaction(async transaction => {
    await reconcileAndSave(transaction, { ...look, lookedAt: after(1) }, clean, []);
    await reconcileAndSave(
      transaction,
      { ...look, lookedAt: after(0) },
      { ...clean, seen, outcomes: outcome('observed') },
      [],
    );
    return storedFindings(transaction, source.sourceId, []);
  });
  expect(kept).toHaveLength(1);
});

it('limits the episodes of a finding, and continues the last one', async () => {
  const source = await authorizedSource(service);
  const target = { ...source, scanId: await queuedScan(source) };
  const none = { opened: [], reopened: [], updated: [], resolved: [] };
  const episodes = await source.store.transaction(async transaction => {
    await applyFindingChanges(transaction, target, { ...none, opened: [flaw('again')] });
    const [finding] = await storedFindings(transaction, source.sourceId, []);
    const { id } = finding!;
    for (let times = 0; times < episodesPerFinding + 2; times++) {
      await applyFindingChanges(transaction, target, { ...none, resolved: [id] });
      await applyFindingChanges(transaction, target, { ...none, reopened: [{ id, flaw: flaw('again') }] });
    }
    return transaction.query<{ number: number; open: boolean }>({
      text: `select number, closed_at is null and closed_by_scan is null as open from finding_episodes
        where finding_id = $1 order by number desc`,
      values: [id],
    });
  });
  expect(episodes).toHaveLength(episodesPerFinding);
  expect(episodes.filter(({ open }) => open)).toEqual([{ number: episodesPerFinding, open: true }]);
});
