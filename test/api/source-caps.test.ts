import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { TenantTransaction } from '../../src/database/tenant-store.ts';
import { requestScan } from '../../src/resources/scans/request-scan.ts';
import { startWatchedScans, turnWatchOn } from '../../src/resources/sources/watches.ts';
import { authorizedSource } from '../support/authorized-source.ts';
import { untilWaiting } from '../support/held-lock.ts';
import { addPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';
import { call } from '../support/signing-client.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const sql = (text: string, values: unknown[]) =>
  asOwner(service.database.connection, client => client.query(text, values));

/** Copies the source within its organization, to this system. */
const copySource = (sourceId: string, systemId: string, copies: number) =>
  sql(
    `insert into sources (organization_id, system_id, name, kind, host, status, connection_mode)
      select organization_id, $2, name, kind, host, 'draft', connection_mode from sources, generate_series(1, $3::int)
      where id = $1`,
    [sourceId, systemId, copies],
  );

async function createSystem(organizationId: string): Promise<string> {
  const { rows } = await sql(
    `insert into systems (organization_id, name, environment, kind) values ($1, 'T', 'test', 'site') returning id`,
    [organizationId],
  );
  return rows[0].id;
}

it('limits the sources of a system and of an organization, for keys and people (spec 4)', async () => {
  const { organizationId, systemId, sourceId } = await authorizedSource(service);
  const key = await service.mint(organizationId);
  const { client } = await addPerson(service, organizationId, 'admin');
  const body = (system_id: string) => ({ system_id, name: 'W', kind: 'website', host: 'shop.example' });
  const byKey = (system: string) => call(service.url, key, 'POST', '/api/v1/sources', body(system));
  const byPerson = (system: string) => client.post(`/organizations/${organizationId}/sources`, body(system));
  const refused = { status: 400, json: { error_code: 'too_many_sources' } };

  await copySource(sourceId, systemId, 498);
  expect((await byKey(systemId)).status, 'the last of the system').toBe(201);
  expect(await byKey(systemId)).toMatchObject(refused);
  expect(await byPerson(systemId)).toMatchObject(refused);
  expect((await client.delete(`/organizations/${organizationId}/sources/${sourceId}`)).status).toBe(200);
  expect((await byKey(systemId)).status, 'instead of a disconnected one').toBe(201);

  const system = await createSystem(organizationId);
  await copySource(sourceId, await createSystem(organizationId), 4_499);
  expect((await byKey(system)).status, 'the last of the organization').toBe(201);
  expect(await byKey(system)).toMatchObject(refused);
});

it('limits unfinished scans and scans per hour by their sources, for keys and people (spec 4)', async () => {
  const { organizationId, systemId, sourceId } = await authorizedSource(service);
  const key = await service.mint(organizationId);
  const { client } = await addPerson(service, organizationId, 'admin');
  let turn = 0;
  const byKey = () =>
    call(service.url, key, 'POST', '/api/v1/scans', {
      system_id: systemId,
      idempotency_key: `scan-no-${++turn}`,
    });
  const byPerson = () => client.post(`/organizations/${organizationId}/scans`, { source_id: sourceId });
  const sourcesOfScans = (sources: number, state: string) =>
    sql(`update scans set sources = $2, ${state} where organization_id = $1`, [organizationId, sources]);
  const refused = { status: 400, json: { error_code: 'too_many_scans', retry_after_seconds: 300 } };

  expect((await byKey()).status).toBe(201);
  await sourcesOfScans(9_999, `status = 'running'`);
  expect((await byKey()).status, 'the last that may be unfinished').toBe(201);
  expect(await byKey()).toMatchObject(refused);
  expect(await byPerson()).toMatchObject(refused);

  await sourcesOfScans(9_999, `status = 'completed', finished_at = now()`);
  expect((await byKey()).status).toBe(201);
  expect((await byKey()).status, 'the last of the hour').toBe(201);
  expect(await byKey()).toMatchObject(refused);
  expect(await byPerson()).toMatchObject(refused);
  await sourcesOfScans(
    9_999,
    `status = 'completed', finished_at = now(), created_at = now() - interval '61 minutes'`,
  );
  expect((await byKey()).status, 'an hour later').toBe(201);
  const { rows } = await sql('select count(*)::int as count from scans where organization_id = $1', [
    organizationId,
  ]);
  expect(rows[0].count, 'a refusal leaves nothing behind').toBe(5);
});

it('limits scans that are requested simultaneously (spec 4)', async () => {
  const { organizationId, systemId, sourceId, store } = await authorizedSource(service);
  const request =
    (target: { system_id: string } | { source_id: string }) => (transaction: TenantTransaction) =>
      requestScan(
        transaction,
        { ...target, idempotency_key: randomUUID() },
        { privilegedConnections: false },
      );
  await store.transaction(request({ system_id: systemId }));
  await sql('update scans set sources = 9999 where organization_id = $1', [organizationId]);
  const second = await store.transaction(async transaction => {
    await request({ system_id: systemId })(transaction);
    const waiting = store.transaction(request({ source_id: sourceId }));
    waiting.catch(() => {});
    await untilWaiting(service.database.connection, 1);
    return { waiting };
  });
  await expect(second.waiting).rejects.toMatchObject({ code: 'too_many_scans' });
});

it('reserves a share of scans for keys and Watch, however many people start and stop', async () => {
  const { organizationId, systemId, sourceId, person, store } = await authorizedSource(service);
  const key = await service.mint(organizationId);
  const { client } = await addPerson(service, organizationId, 'admin', { steppedUp: false });
  await copySource(sourceId, systemId, 399);
  await sql("update sources set status = 'pending', scan_authorized_at = now() where system_id = $1", [
    systemId,
  ]);
  const scans = `/organizations/${organizationId}/scans`;
  const startAndStop = async () => {
    const started = await client.post(scans, { system_id: systemId });
    if (started.status === 202)
      expect((await client.post(`${scans}/${started.json.scan.id}/stop`)).status).toBe(200);
    return started;
  };
  for (let round = 0; round < 35; round++) expect((await startAndStop()).status).toBe(202);
  expect((await startAndStop()).json).toMatchObject({ error_code: 'too_many_scans' });
  await person.transaction(transaction =>
    turnWatchOn(transaction, sourceId, 1, { privilegedConnections: false }),
  );
  expect(await startWatchedScans(store, [sourceId], { privilegedConnections: false })).toHaveLength(1);
  const byKey = await call(service.url, key, 'POST', '/api/v1/scans', {
    system_id: systemId,
    idempotency_key: 'after people',
  });
  expect(byKey.status).toBe(201);
});

it("reserves places for scans by keys while people's scans are queued", async () => {
  const { organizationId, systemId, sourceId } = await authorizedSource(service);
  const key = await service.mint(organizationId);
  const { client } = await addPerson(service, organizationId, 'admin');
  const byPerson = (target: object) => client.post(`/organizations/${organizationId}/scans`, target);
  expect((await byPerson({ source_id: sourceId })).status).toBe(202);
  await sql('update scans set sources = 7000 where organization_id = $1', [organizationId]);
  expect((await byPerson({ system_id: systemId })).json).toMatchObject({ error_code: 'too_many_scans' });
  const byKey = { system_id: systemId, idempotency_key: 'beside people' };
  expect((await call(service.url, key, 'POST', '/api/v1/scans', byKey)).status).toBe(201);
});
