import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { TenantStore } from '../../src/database/tenant-store.ts';
import { requestScan } from '../../src/resources/scans/request-scan.ts';
import { cancelScan } from '../../src/resources/scans/stop-scans.ts';
import {
  recordDomainProof,
  requestDomainProof,
  requestFullActiveScan,
} from '../../src/resources/sources/domain-proofs.ts';
import { acceptRisk, authorizeScan, createSource } from '../../src/resources/sources/sources.ts';
import { createSystem } from '../../src/resources/systems/systems.ts';
import { findScan } from '../support/find-scan.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { httpServer, type TestServer } from '../support/website.ts';

type Depth = 'safe' | 'full';

/** Of a worker; there may be more for safe scans. */
const inspections = {
  safe: { shared: 4, kept: { places: 8, perOrganization: 2 } },
  full: { shared: 1, kept: { places: 4, perOrganization: 1 } },
};

let service: TestService;
let worker: ServingProcess;
const opened: TestServer[] = [];
/** Scans that would run for minutes. */
const begun: { person: TenantStore; id: string }[] = [];

beforeAll(async () => {
  service = await startService();
  worker = await ServingProcess.work(service.database.url);
});
afterEach(async () => {
  for (const { person, id } of begun.splice(0)) {
    await person.transaction(transaction => cancelScan(transaction, id));
  }
  for (const server of opened.splice(0)) await server.close();
  // All places are free again.
  await poll('the scans to stop', async () => (await active()) === 0 || undefined);
});
afterAll(async () => {
  await worker?.kill('SIGTERM');
  await service?.close();
});

/** The worker's running jobs. */
const active = (queue: 'scan-plan' | 'scan-inspect%' = 'scan-inspect%') =>
  asOwner(service.database.connection, async client => {
    const { rows } = await client.query<{ jobs: number }>(
      "select count(*)::int as jobs from pgboss.job where state = 'active' and name like $1",
      [queue],
    );
    return rows[0]!.jobs;
  });

async function addOrganization(): Promise<TenantStore> {
  const organizationId = await service.createOrganization();
  return service.storage.tenant(organizationId, { kind: 'person', id: randomUUID() });
}

interface Website {
  readonly systemId: string;
  readonly sourceId: string;
  /** Publishes the proof of its domain. */
  prove(token: string): void;
}

/** A website that may be scanned. A slow one responds only with its proof. */
async function addWebsite(person: TenantStore, isSlow: boolean): Promise<Website> {
  let published = '';
  const server = await httpServer((request, response) => {
    if (request.url === '/.well-known/parapet-challenge.txt') return void response.end(published);
    if (!isSlow) response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title>');
  });
  opened.push(server);
  return person.transaction(async transaction => {
    const system = await createSystem(transaction, { name: 'S', environment: 'test', kind: 'site' });
    const host = `http://127.0.0.1:${server.port}/`;
    const input = { system_id: system.id, name: 'W', kind: 'website', host } as const;
    const source = await createSource(transaction, input);
    await acceptRisk(transaction, source.id, '1');
    await authorizeScan(transaction, source.id);
    const prove = (token: string) => {
      published = token;
    };
    return { systemId: system.id, sourceId: source.id, prove };
  });
}

async function addScan(
  person: TenantStore,
  { systemId, sourceId, prove }: Website,
  depth: Depth,
): Promise<string> {
  const id = await person.transaction(async transaction => {
    if (depth === 'safe') {
      const request = { system_id: systemId, idempotency_key: randomUUID() };
      return (await requestScan(transaction, request, { privilegedConnections: false })).scan.id;
    }
    prove((await requestDomainProof(transaction, sourceId)).token);
    await recordDomainProof(transaction, sourceId, 'well_known_file');
    return (await requestFullActiveScan(transaction, sourceId, { privilegedConnections: false })).id;
  });
  begun.push({ person, id });
  return id;
}

const statusOf = async (person: TenantStore, id: string) => (await findScan(person, id))!.status;

it.each<[Depth, number, readonly Depth[]]>([
  ['full', 3, ['safe', 'full']],
  ['full', 8, ['safe']],
  ['safe', 3, ['safe', 'full']],
])(
  'does not wait for slow %s scans of %d other organizations, however many they have',
  { timeout: 120_000 },
  async (depth, organizations, wanted) => {
    const { shared, kept } = inspections[depth];
    const slow: { person: TenantStore; id: string }[] = [];
    for (let added = 0; added < organizations; added++) {
      const person = await addOrganization();
      for (let scan = 0; scan < 8; scan++)
        slow.push({ person, id: await addScan(person, await addWebsite(person, true), depth) });
    }
    const places = shared + Math.min(kept.places, organizations * kept.perOrganization);
    await poll('slow scans in all available places', async () => (await active()) >= places || undefined);
    const person = await addOrganization();
    const ids: string[] = [];
    for (const other of wanted) ids.push(await addScan(person, await addWebsite(person, false), other));
    for (const id of ids) {
      await poll('a scan to end', async () => (await statusOf(person, id)) === 'completed' || undefined);
    }
    const starts = await Promise.all(ids.map(async id => (await findScan(person, id))!.started_at!));
    const slowScans = await Promise.all(slow.map(one => findScan(one.person, one.id)));
    const ended = slowScans.flatMap(scan => scan!.finished_at ?? []);
    for (const moment of ended) {
      for (const start of starts)
        expect(Date.parse(start), 'before a slow one ended').toBeLessThan(Date.parse(moment));
    }
  },
);

it('does not wait while scans of 3 other organizations cannot be planned', async () => {
  const others: { person: TenantStore; website: Website }[] = [];
  for (let added = 0; added < 3; added++) {
    const person = await addOrganization();
    others.push({ person, website: await addWebsite(person, true) });
  }
  const person = await addOrganization();
  const website = await addWebsite(person, false);
  await asOwner(service.database.connection, async holder => {
    await holder.query('begin');
    // Planning reads the source; creating the scan of a system does not.
    await holder.query('select from sources where id = any($1) for update', [
      others.map(other => other.website.sourceId),
    ]);
    for (const other of others) await addScan(other.person, other.website, 'safe');
    await poll('their plans to begin', async () => (await active('scan-plan')) > 0 || undefined);
    const id = await addScan(person, website, 'safe');
    await poll('a scan to end', async () => (await statusOf(person, id)) === 'completed' || undefined, 20);
    expect(await active('scan-plan')).toBe(3);
    await holder.query('rollback');
  });
});
