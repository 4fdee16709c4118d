import { afterAll, beforeAll, expect, it } from 'vitest';
import { endScan } from '../../src/resources/scans/end-scan.ts';
import { startSafeScan } from '../../src/resources/scans/request-scan.ts';
import { lockUnfinishedScan } from '../../src/resources/scans/scans.ts';
import { startScan } from '../../src/resources/scans/start-scan.ts';
import { cancelScan } from '../../src/resources/scans/stop-scans.ts';
import {
  recordDomainProof,
  requestDomainProof,
  requestFullActiveScan,
} from '../../src/resources/sources/domain-proofs.ts';
import { disconnectSource } from '../../src/resources/sources/sources.ts';
import { nextScan, turnWatchOff, turnWatchOn } from '../../src/resources/sources/watches.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { dueTurn } from '../support/due-turn.ts';
import { asOwner } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { startService, type TestNode, type TestService } from '../support/service.ts';

let service: TestService;
let second: TestNode;
beforeAll(async () => {
  service = await startService();
  second = await service.addNode();
});
afterAll(() => service?.close());

/** The scheduled work of every worker, on two nodes at once. */
async function timePasses(): Promise<void> {
  const troubles: object[] = [];
  const turns = [service.storage, second.storage].map(storage =>
    dueTurn({ storage }, (event, fields) => troubles.push({ event, ...fields })),
  );
  await Promise.all(turns);
  expect(troubles).toEqual([]);
}

const scansOf = ({ store }: AuthorizedSource) =>
  store.queryOnce<{ id: string; status: string; profile: string }>({
    text: 'select id, status, profile from scans order by created_at',
  });

/** Sets the next scan to now. */
const makeDue = ({ store }: AuthorizedSource) =>
  store.transaction(transaction =>
    transaction.query({ text: "update watches set next_scan_at = now() - interval '1 second'" }),
  );

it('scans immediately when it is turned on, once, for any number of workers', async () => {
  const source = await authorizedSource(service);
  await source.person.transaction(transaction =>
    turnWatchOn(transaction, source.sourceId, 24, { privilegedConnections: false }),
  );
  await timePasses();
  await timePasses();
  expect(await scansOf(source)).toMatchObject([{ status: 'queued', profile: 'safe_all_surfaces' }]);
});

it('scans again after its interval, within a tenth of it', async () => {
  const source = await authorizedSource(service);
  const waits = new Set<number>();
  await source.person.transaction(transaction =>
    turnWatchOn(transaction, source.sourceId, 6, { privilegedConnections: false }),
  );
  for (let round = 0; round < 12; round += 1) {
    await makeDue(source);
    await timePasses();
    const [watch] = await source.store.queryOnce<{ hours: number }>({
      text: `select extract(epoch from next_scan_at - now())::float8 / 3600 as hours from watches`,
    });
    expect(watch!.hours).toBeGreaterThan(5.39);
    expect(watch!.hours).toBeLessThan(6.61);
    waits.add(Math.round(watch!.hours * 1000));
    for (const { id } of await scansOf(source)) {
      await source.person.transaction(transaction => cancelScan(transaction, id));
    }
  }
  expect(await scansOf(source)).toHaveLength(12);
  expect(waits.size, 'the times differ').toBeGreaterThan(3);
});

it('spreads sources evenly over the interval that were turned on together, and keeps them so', async () => {
  const count = 3_000;
  const minutes = async (rounds: number) => {
    const { rows } = await asOwner(service.database.connection, client =>
      client.query<{ scans: number }>(
        `with recursive scans (source_id, every_hours, at, round) as (
            select gen_random_uuid(), 1, '2026-11-20T08:00Z'::timestamptz, 0 from generate_series(1, $1::int)
            union all
            select source_id, every_hours, ${nextScan('at')}, round + 1 from scans where round < $2)
          select count(*)::int as scans from scans where round = $2 group by extract(minute from at) order by 1 desc`,
        [count, rounds],
      ),
    );
    return rows.map(({ scans }) => scans);
  };
  expect(await minutes(0)).toEqual([count]);
  for (const rounds of [24, 100]) {
    const busiest = await minutes(rounds);
    expect(busiest).toHaveLength(60);
    // Fifty in each minute, give or take what chance does.
    expect(busiest[0]).toBeLessThan(100);
    expect(busiest.at(-1)).toBeGreaterThan(15);
  }
});

it('leaves entries in the audit log about what people do, not about each scan without a request', async () => {
  const source = await authorizedSource(service);
  const { store, person, sourceId } = source;
  await person.transaction(transaction =>
    turnWatchOn(transaction, sourceId, 1, { privilegedConnections: false }),
  );
  const actions = async () => {
    const { rows } = await asOwner(service.database.connection, client =>
      client.query(
        `select action from ${recordedEntries} where organization_id = $1 and action ~ '^(scan|source.watch)' order by sequence`,
        [store.organizationId],
      ),
    );
    return rows.map(({ action }) => action);
  };
  const end = (status: 'completed' | 'failed') =>
    store.transaction(async transaction => {
      const id = (await scansOf(source)).at(-1)!.id;
      await endScan(transaction, (await lockUnfinishedScan(transaction, id))!, status);
    });
  for (const status of ['completed', 'failed'] as const) {
    await makeDue(source);
    await timePasses();
    await end(status);
  }
  // As of a probe.
  const report = { sourceId, detectors: [], startedAt: new Date().toISOString(), isOwn: false };
  await store.transaction(transaction => startScan(transaction, report));
  await end('completed');
  expect((await scansOf(source)).map(({ status }) => status)).toEqual(['completed', 'failed', 'completed']);
  expect(await actions()).toEqual(['source.watch_turned_on']);
  await makeDue(source);
  await timePasses();
  await person.transaction(transaction => turnWatchOff(transaction, sourceId));
  await person.transaction(transaction =>
    startSafeScan(transaction, { source_id: sourceId, system_id: null }, { privilegedConnections: false }),
  );
  await end('completed');
  expect(await actions()).toEqual([
    'source.watch_turned_on',
    'scan.canceled',
    'source.watch_turned_off',
    'scan.requested',
    'scan.finished',
  ]);
});

it('skips a source that is being scanned, by itself or with its system', async () => {
  const source = await authorizedSource(service);
  await source.person.transaction(transaction =>
    turnWatchOn(transaction, source.sourceId, 1, { privilegedConnections: false }),
  );
  await timePasses();
  await makeDue(source);
  await timePasses();
  expect(await scansOf(source)).toHaveLength(1);
  // No statement of the service changes the target of a scan.
  await asOwner(service.database.connection, client =>
    client.query('update scans set source_id = null, system_id = $1 where source_id = $2', [
      source.systemId,
      source.sourceId,
    ]),
  );
  await makeDue(source);
  await timePasses();
  expect(await scansOf(source)).toHaveLength(1);
});

it('is turned on by people only, and for authorized sources only (spec 1)', async () => {
  const source = await authorizedSource(service);
  const on = (store: AuthorizedSource['store']) =>
    store.transaction(transaction =>
      turnWatchOn(transaction, source.sourceId, 24, { privilegedConnections: false }),
    );
  await expect(on(source.store)).rejects.toMatchObject({ code: 'forbidden' });
  const key = service.storage.tenant(source.organizationId, { kind: 'key', id: 'k' });
  await expect(on(key)).rejects.toMatchObject({ code: 'forbidden' });
  const stranger = await authorizedSource(service);
  await expect(on(stranger.person)).rejects.toMatchObject({ code: 'scan_not_authorized' });
  await timePasses();
  expect(await scansOf(source)).toEqual([]);
});

it('ends when it is turned off, and when the source is disconnected (spec 4)', async () => {
  const source = await authorizedSource(service);
  const off = () => source.person.transaction(transaction => turnWatchOff(transaction, source.sourceId));
  expect(await off()).toBe(false);
  await source.person.transaction(transaction =>
    turnWatchOn(transaction, source.sourceId, 24, { privilegedConnections: false }),
  );
  expect(await off()).toBe(true);
  await source.person.transaction(transaction =>
    turnWatchOn(transaction, source.sourceId, 24, { privilegedConnections: false }),
  );
  await source.person.transaction(transaction => disconnectSource(transaction, source.sourceId));
  await timePasses();
  expect(await scansOf(source)).toEqual([]);
  expect(await source.store.queryOnce({ text: 'select from watches' })).toEqual([]);
});

it('starts a full_active scan for people only, with a valid proof of the domain (spec 1)', async () => {
  const source = await authorizedSource(service);
  const request = (store: AuthorizedSource['store']) =>
    store.transaction(transaction =>
      requestFullActiveScan(transaction, source.sourceId, { privilegedConnections: false }),
    );
  await expect(request(source.person)).rejects.toMatchObject({ code: 'domain_not_proven' });
  const proof = await source.person.transaction(transaction =>
    requestDomainProof(transaction, source.sourceId),
  );
  const again = await source.person.transaction(transaction =>
    requestDomainProof(transaction, source.sourceId),
  );
  expect(again.token).toBe(proof.token);
  await expect(request(source.person)).rejects.toMatchObject({ code: 'domain_not_proven' });
  await source.person.transaction(transaction => recordDomainProof(transaction, source.sourceId, 'dns_txt'));
  await expect(request(source.store)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await request(source.person)).toMatchObject({ profile: 'full_active', source_id: source.sourceId });
  await source.store.transaction(transaction =>
    transaction.query({ text: "update domain_proofs set proven_at = now() - interval '31 days'" }),
  );
  await expect(request(source.person)).rejects.toMatchObject({ code: 'domain_not_proven' });
});
