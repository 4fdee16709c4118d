import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { givenKeyRing } from '../../src/resources/credentials/key-ring.ts';
import { parseMasterKey } from '../../src/resources/credentials/master-key.ts';
import { CredentialVault } from '../../src/resources/credentials/vault.ts';
import { requestScan } from '../../src/resources/scans/request-scan.ts';
import { createSource } from '../../src/resources/sources/sources.ts';
import { type AuthorizedSource, authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { testAuthority } from '../support/certificates.ts';
import { findScan } from '../support/find-scan.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { type DatabaseServer, startPostgresServer } from '../support/postgres-server.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';

const masterKey = randomBytes(32).toString('base64');
const password = `p4ssword${randomBytes(12).toString('hex')}`;

let service: TestService;
let database: DatabaseServer;
let worker: ServingProcess | undefined;
beforeAll(async () => {
  service = await startService();
  const { chain, key } = testAuthority().issue();
  database = await startPostgresServer({ chain, key }, [
    `create role watcher login password '${password}';`,
    'grant pg_monitor to watcher;',
  ]);
});
afterEach(async () => {
  await worker?.kill('SIGTERM');
  worker = undefined;
});
afterAll(async () => {
  await database?.close();
  await service?.close();
});

async function startWorker(privileged: 'on' | 'off'): Promise<ServingProcess> {
  worker = await ServingProcess.work(service.database.url, {
    PARAPET_MASTER_KEY: masterKey,
    PARAPET_PRIVILEGED_CONNECTIONS: privileged,
  });
  return worker;
}

async function postgresSource(mode: 'direct' | 'probe' = 'direct'): Promise<AuthorizedSource> {
  const host = `127.0.0.1:${database.port}`;
  const source = await authorizedSource(service, { kind: 'postgres', host, connection_mode: mode });
  const vault = new CredentialVault(givenKeyRing(parseMasterKey(masterKey)));
  const dsn = `postgresql://watcher:${password}@${host}/postgres?sslmode=disable`;
  await source.person.transaction(transaction =>
    vault.store(transaction, source.sourceId, { type: 'dsn', dsn }),
  );
  return source;
}

async function scanned(source: AuthorizedSource) {
  const id = await queuedScan(source);
  return poll('the scan to end', async () => {
    const scan = await findScan(source.store, id);
    return scan?.finished_at ? scan : undefined;
  });
}

it('finds problems of a database, reports what it may not read, and does not reveal the password', async () => {
  const { log } = await startWorker('on');
  const source = await postgresSource();
  const scan = await scanned(source);
  expect(scan.status).toBe('completed');
  expect(scan.runs.length).toBeGreaterThan(4);
  expect(new Set(scan.runs.map(({ detector }) => detector.split('.')[0]))).toEqual(new Set(['postgres']));
  const findings = await source.store.queryOnce<{ category: string }>({
    text: 'select distinct category from findings',
  });
  expect(findings.length).toBeGreaterThan(3);
  expect(findings.every(({ category }) => category.startsWith('postgres.'))).toBe(true);
  const gaps = await source.store.queryOnce<{ reason: string }>({
    text: `select reason from check_assessments where outcome = 'not_assessed'`,
  });
  expect(gaps.some(({ reason }) => /pg_hba_file_rules/.test(reason))).toBe(true);
  const { rows } = await asOwner(service.database.connection, client =>
    client.query('select f::text as t from findings f union all select a::text from audit_entries a'),
  );
  expect(JSON.stringify(rows) + log.join('\n')).not.toContain(password);
});

it('plans nothing for a database if the worker may not connect to databases', async () => {
  await startWorker('off');
  const scan = await scanned(await postgresSource());
  expect(scan).toMatchObject({ status: 'completed', verdict: 'inconclusive', runs_planned: 0, runs: [] });
});

it('scans a system without the source that a probe assesses, which does not affect the verdict (spec 2)', async () => {
  await startWorker('on');
  const probed = await postgresSource('probe');
  const { store, systemId, sourceId } = probed;
  const direct = await store.transaction(async transaction => {
    const host = `127.0.0.1:${database.port}`;
    const made = await createSource(transaction, { system_id: systemId, name: 'D', kind: 'postgres', host });
    await transaction.query({
      text: `update sources set status = 'pending', scan_authorized_at = now() where id = $1`,
      values: [made.id],
    });
    // An open finding on the source that is not scanned.
    await transaction.query({
      text: `insert into findings (system_id, source_id, category, fingerprint, locator, severity, title, remediation,
          seen, hipaa) values ($1, $2, 'postgres.ssl_off', 'f', 'l', 'critical', 't', 'r', 's', true)`,
      values: [systemId, sourceId],
    });
    return made.id;
  });
  const { id } = await store.transaction(async transaction => {
    const request = { system_id: systemId, idempotency_key: 'without-the-probe' };
    return (await requestScan(transaction, request, { privilegedConnections: true })).scan;
  });
  const scan = await poll('the scan to end', async () => {
    const found = await findScan(store, id);
    return found?.finished_at ? found : undefined;
  });
  expect(new Set(scan.runs.map(({ source_id }) => source_id))).toEqual(new Set([direct]));
  // Its own runs fail without a credential.
  expect(scan).toMatchObject({ status: 'failed', verdict: 'inconclusive' });
  expect(new Set(scan.runs.map(({ cause }) => cause))).toEqual(new Set(['credential_missing']));
});
