import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Source } from '../../src/contract/sources.ts';
import { requestScan } from '../../src/resources/scans/request-scan.ts';
import { createSource, disconnectSource } from '../../src/resources/sources/sources.ts';
import { turnWatchOff, turnWatchOn } from '../../src/resources/sources/watches.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { findScan } from '../support/find-scan.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call } from '../support/signing-client.ts';
import { httpServer, rawServer, type TestServer } from '../support/website.ts';

// The request that disconnects the source goes to another node than the one that scans.

let service: TestService;
let node: ServingProcess;
const opened: TestServer[] = [];
beforeAll(async () => {
  service = await startService();
  node = await ServingProcess.serve({
    DATABASE_URL: service.database.url,
    PARAPET_MASTER_KEY: randomBytes(32).toString('base64'),
    PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8',
  });
});
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});
afterAll(async () => {
  await node?.kill('SIGTERM');
  await service?.close();
});

const scanning = { privilegedConnections: false };

/** A target that accepts requests and never responds, so that clients stay until they are stopped. */
async function silentTarget(): Promise<{ host: string; asked: Promise<unknown>; left: Promise<number> }> {
  const events = new EventTarget();
  const asked = once(events, 'asked');
  let open = 0;
  const left = new Promise<number>(resolve => {
    events.addEventListener('left', () => {
      if (open === 0) resolve(performance.now());
    });
  });
  const server = await rawServer(socket => {
    open += 1;
    socket.once('data', () => events.dispatchEvent(new Event('asked')));
    socket.resume().on('close', () => {
      open -= 1;
      events.dispatchEvent(new Event('left'));
    });
  });
  opened.push(server);
  return { host: `http://127.0.0.1:${server.port}/`, asked, left };
}

const startScan = async ({ store }: AuthorizedSource, target: { system_id?: string; source_id?: string }) => {
  const request = { ...target, idempotency_key: randomBytes(8).toString('hex') };
  return (await store.transaction(transaction => requestScan(transaction, request, scanning))).scan.id;
};

/** Milliseconds from the response that disconnects the source until no connection to the target is open. */
async function timeToStop(left: Promise<number>, takeAway: () => Promise<unknown>): Promise<number> {
  await takeAway();
  const answered = performance.now();
  return Math.max(0, (await left) - answered);
}

it('stops a scan within a second of the disconnection, on any node, and cancels it (spec 4)', async () => {
  const target = await silentTarget();
  const source = await authorizedSource(service, { host: target.host });
  const key: ClientKey = await service.mint(source.organizationId);
  const id = await startScan(source, { source_id: source.sourceId });
  await target.asked;
  const took = await timeToStop(target.left, async () => {
    const answer = await call(service.url, key, 'DELETE', `/api/v1/sources/${source.sourceId}`);
    expect([answer.status, answer.json.source.status]).toEqual([200, 'disconnected']);
  });
  expect(took).toBeLessThan(1_000);
  const { scan } = (await call(service.url, key, 'GET', `/api/v1/scans/${id}`)).json;
  expect(scan).toMatchObject({ status: 'canceled', verdict: 'inconclusive', runs_succeeded: 0 });
  expect(scan.runs_planned).toBeGreaterThan(0);
  for (const run of scan.runs) expect(run).toMatchObject({ status: 'skipped', cause: 'source_disconnected' });
});

it('stops the source’s part of a system scan, and nothing else', async () => {
  const target = await silentTarget();
  const other = await httpServer((_request, response) => response.end('<!doctype html><title>A</title>'));
  opened.push(other);
  const source = await authorizedSource(service, { host: target.host });
  const { id: otherId } = await source.store.transaction(async transaction => {
    const input = { system_id: source.systemId, name: 'B', kind: 'website' } as const;
    const made = await createSource(transaction, { ...input, host: `http://127.0.0.1:${other.port}/` });
    const text =
      "update sources set status = 'pending', scan_authorized_at = now() where id = $1 returning *";
    return (await transaction.query<Source>({ text, values: [made.id] }))[0]!;
  });
  const id = await startScan(source, { system_id: source.systemId });
  await target.asked;
  const took = await timeToStop(target.left, () =>
    source.person.transaction(transaction => disconnectSource(transaction, source.sourceId)),
  );
  expect(took).toBeLessThan(1_000);
  const scan = await poll('the scan to end', async () => {
    const found = await findScan(source.store, id);
    return found?.finished_at ? found : undefined;
  });
  expect(scan.status).toBe('completed');
  const ends = new Set(scan.runs.map(({ source_id, status }) => `${source_id} ${status}`));
  expect(ends).toContain(`${source.sourceId} skipped`);
  expect(ends).toContain(`${otherId} succeeded`);
});

it('stops the scan started by Watch when Watch is turned off', async () => {
  const target = await silentTarget();
  const source = await authorizedSource(service, { host: target.host });
  await source.person.transaction(transaction => turnWatchOn(transaction, source.sourceId, 24, scanning));
  await target.asked;
  const took = await timeToStop(target.left, () =>
    source.person.transaction(transaction => turnWatchOff(transaction, source.sourceId)),
  );
  expect(took).toBeLessThan(1_000);
  const scans = await source.store.queryOnce<{ status: string }>({ text: 'select status from scans' });
  expect(scans).toEqual([{ status: 'canceled' }]);
});

it('stops a connection test, and answers that the source is disconnected', async () => {
  const target = await silentTarget();
  const source = await authorizedSource(service, { host: target.host });
  const key = await service.mint(source.organizationId);
  const path = `/api/v1/sources/${source.sourceId}`;
  const tested = call(node.url, key, 'POST', `${path}/test`, {});
  await target.asked;
  const took = await timeToStop(target.left, () => call(service.url, key, 'DELETE', path));
  expect(took).toBeLessThan(1_000);
  const answer = await tested;
  expect([answer.status, answer.json.error_code]).toEqual([400, 'source_is_disconnected']);
  const rows = await asOwner(service.database.connection, db =>
    db.query('select status from sources where id = $1', [source.sourceId]),
  );
  expect(rows.rows).toEqual([{ status: 'disconnected' }]);
});
