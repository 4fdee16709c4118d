import { afterAll, beforeAll, expect, it } from 'vitest';
import { placesPerScan } from '../../src/scan/report-bounds.ts';
import { applyFindingChanges, storedFindings } from '../../src/storage/finding-changes.ts';
import { authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

const flaw = (fingerprint: string, formerFingerprints: string[] = []) => ({
  fingerprint,
  formerFingerprints,
  category: 'tls.a',
  locator: fingerprint,
  severity: 'low' as const,
  title: 't',
  remediation: 'r',
  seen: 's',
  hipaa: false,
});

it('keeps as many findings as a scan may report, and reads back what the next one can change', async () => {
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
