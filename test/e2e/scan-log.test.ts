import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { captureWith } from '../../src/detectors/postgres/hardened-capture.ts';
import { turnShieldOn } from '../../src/resources/shield/shields.ts';
import { findSource } from '../../src/resources/sources/sources.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { environmentOf } from '../support/parapet-process.ts';
import { addPerson } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { assessment, path as ingest, planned, reportsOn } from '../support/probe-events.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { heartbeat, shieldPath } from '../support/shield-events.ts';
import { type ClientKey, call } from '../support/signing-client.ts';
import { httpServer, type TestServer } from '../support/website.ts';

let service: TestService;
let env: Record<string, string>;
let api: ServingProcess;
let site: TestServer;
const workers: ServingProcess[] = [];
/** Requests of scans wait for it. */
let answer: Promise<unknown> = Promise.resolve();
/** Has the site answer only after the returned function was called. */
function hold(): () => void {
  let release = () => {};
  answer = new Promise<void>(resolve => {
    release = resolve;
  });
  return release;
}

beforeAll(async () => {
  service = await startService();
  site = await httpServer(async (_request, response) => {
    await answer;
    response.end('<!doctype html><title>Site</title>');
  });
  env = { ...(await environmentOf(service)), PARAPET_MANAGEMENT_PORT: 'off' };
  api = await ServingProcess.serve({ ...env, PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8' }, ['--role', 'api']);
});
afterAll(async () => {
  for (const worker of workers) await worker.kill('SIGTERM');
  await api?.kill('SIGTERM');
  await site?.close();
  await service?.close();
});

/** The worker that runs, or a new one. */
async function runningWorker(): Promise<ServingProcess> {
  const [running] = workers;
  if (running) return running;
  const worker = await ServingProcess.work(service.database.url, env);
  workers.push(worker);
  return worker;
}

/** The lines about scans that a process has logged. */
const linesOf = ({ log }: ServingProcess) =>
  log.filter(text => /^\{.*"msg":"scan\./.test(text)).map(text => JSON.parse(text));
const lineOf = (process: ServingProcess, event: string, field: object) => {
  const [[name, value]] = Object.entries(field) as [[string, unknown]];
  return poll(event, () => linesOf(process).find(line => line.msg === event && line[name] === value));
};

/** Requests a scan of a new source by the API. */
async function requested() {
  const source = await authorizedSource(service, { host: `127.0.0.1:${site.port}` });
  const key = await service.mint(source.organizationId);
  const body = { source_id: source.sourceId, idempotency_key: randomUUID() };
  const { json, text } = await call(api.url, key, 'POST', '/api/v1/scans', body);
  const scan_id: string = json.scan?.id ?? expect.fail(text);
  const ofScan = { organization_id: source.organizationId, scan_id };
  expect(await lineOf(api, 'scan.queued', { scan_id })).toMatchObject({
    ...ofScan,
    profile: 'safe_all_surfaces',
    source_id: source.sourceId,
    request_id: expect.any(String),
  });
  return { source, scan_id, ofScan };
}

async function cancel({ source, scan_id }: Awaited<ReturnType<typeof requested>>) {
  const { organizationId } = source;
  const { client } = await addPerson({ ...service, url: api.url }, organizationId, 'admin');
  const { status, text } = await client.post(`/organizations/${organizationId}/scans/${scan_id}/stop`);
  expect(status, text).toBe(200);
}

const canceled = { level: 30, status: 'canceled', verdict: 'inconclusive', succeeded: 0 };

it('logs the lines of a scan that is canceled while it is queued', async () => {
  for (const worker of workers.splice(0)) await worker.kill('SIGTERM');
  const scan = await requested();
  await cancel(scan);
  const ended = await lineOf(api, 'scan.ended', { scan_id: scan.scan_id });
  expect(ended).toMatchObject({ ...scan.ofScan, ...canceled, runs: 0, causes: [] });
});

it('logs the lines of a scan that is canceled while it runs', async () => {
  const release = hold();
  const worker = await runningWorker();
  const scan = await requested();
  const { runs } = await lineOf(worker, 'scan.started', { scan_id: scan.scan_id });
  await cancel(scan);
  const ended = await lineOf(api, 'scan.ended', { scan_id: scan.scan_id });
  expect(ended).toMatchObject({ ...scan.ofScan, ...canceled, runs, causes: ['scan_canceled'] });
  release();
});

it('logs the lines of a scan whose worker was killed, which another one continues', async () => {
  const release = hold();
  const killed = await runningWorker();
  const scan = await requested();
  const { runs } = await lineOf(killed, 'scan.started', { scan_id: scan.scan_id });
  workers.splice(0);
  await killed.kill('SIGKILL');
  release();
  const next = await runningWorker();
  const ended = await lineOf(next, 'scan.ended', { scan_id: scan.scan_id });
  expect(ended).toMatchObject({ ...scan.ofScan, level: 30, status: 'completed', runs, succeeded: runs });
  expect(
    linesOf(next).filter(({ msg, scan_id }) => msg === 'scan.started' && scan_id === scan.scan_id),
  ).toEqual([]);
});

it('logs the lines of a scan that is abandoned, since each try to store it fails', async () => {
  await asOwner(service.database.connection, client =>
    client.query(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
      create trigger refuse before insert on findings for each row execute function refuse()`),
  );
  const { scan_id, ofScan, source } = await requested();
  const worker = await runningWorker();
  expect(await lineOf(worker, 'scan.abandoned', { scan_id })).toMatchObject({
    ...ofScan,
    level: 50,
    source_id: source.sourceId,
  });
  await asOwner(service.database.connection, client => client.query('drop trigger refuse on findings'));
  expect(await lineOf(worker, 'scan.ended', { scan_id })).toMatchObject({
    ...ofScan,
    status: 'failed',
    verdict: 'inconclusive',
    succeeded: 0,
    causes: ['retries_exhausted'],
  });
  const tries = worker.log.filter(text => text.includes('"msg":"job.failed"') && text.includes(scan_id));
  expect(tries.length).toBeGreaterThan(4);
});

/** Reports of firewalls are assessed every few minutes. */
const assessNow = (organizationId: string) =>
  poll('the report is stored', () =>
    asOwner(service.database.connection, async client => {
      const { rowCount } = await client.query(
        `update shields set assess_at = now() where organization_id = $1
          and exists (select from shield_firewalls f where f.organization_id = $1)`,
        [organizationId],
      );
      return rowCount === 1;
    }),
  );

/** Sends events of an agent, and returns the lines of the scan that a worker makes of them. */
async function reported(source: AuthorizedSource, path: string, event: object) {
  const { organizationId: organization_id, systemId } = source;
  const key: ClientKey = await service.mint(organization_id, { kind: 'probe', systemId });
  const { status, json } = await call(api.url, key, 'POST', path, { events: [event] });
  expect([status, json.rejected]).toEqual([202, []]);
  const worker = await runningWorker();
  if (path === shieldPath) await assessNow(organization_id);
  const ended = await lineOf(worker, 'scan.ended', { organization_id });
  expect(ended).toMatchObject({ level: 30, source_id: source.sourceId, status: 'completed', causes: [] });
  expect(ended.succeeded).toBe(ended.runs);
  const lines = [...linesOf(api), ...linesOf(worker)].filter(
    line => line.organization_id === organization_id,
  );
  expect(lines.map(({ msg, scan_id }) => [msg, scan_id])).toEqual([
    ['scan.started', ended.scan_id],
    ['scan.ended', ended.scan_id],
  ]);
  expect(lines[0].runs).toBe(ended.runs);
  return ended;
}

it('logs the lines of a scan by a probe', async () => {
  const database = { kind: 'postgres', connection_mode: 'probe', host: 'db.internal' } as const;
  const source = await authorizedSource(service, database);
  const flawed = reportsOn(captureWith({ changed: { fsync: 'off' } }));
  const ended = await reported(source, ingest, assessment(source.sourceId, flawed));
  expect(ended).toMatchObject({ runs: planned.length, waited_seconds: 0 });
});

it('logs the lines of a scan that follows reports of Shield', async () => {
  const source = await authorizedSource(service, { host: 'https://shop.example' });
  await source.person.transaction(async transaction =>
    turnShieldOn(transaction, (await findSource(transaction, source.sourceId))!),
  );
  const firewall = { ...heartbeat().firewall, mode: 'detect_only' } as const;
  await reported(source, shieldPath, heartbeat({ firewall }));
});
