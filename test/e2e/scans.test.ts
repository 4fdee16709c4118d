import { randomBytes, randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { detectorsFor } from '../../src/detectors/catalogue.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call } from '../support/signing-client.ts';
import { httpServer, rawServer, type TestServer } from '../support/website.ts';

const detectors = detectorsFor('website')
  .filter(({ depth }) => depth !== 'full')
  .map(({ name }) => name)
  .sort();

let service: TestService;
let key: ClientKey;
let systemId: string;
const opened: { close(): Promise<unknown> }[] = [];
const workers: ServingProcess[] = [];

beforeAll(async () => {
  service = await startService();
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.kill('SIGTERM');
  for (const server of opened.splice(0)) await server.close();
});
afterAll(() => service?.close());

const masterKey = randomBytes(32).toString('base64');

/** A worker in a separate process, which may connect to this machine. */
async function startWorker(env: Record<string, string> = {}): Promise<ServingProcess> {
  const worker = await ServingProcess.work(service.database.url, { PARAPET_MASTER_KEY: masterKey, ...env });
  workers.push(worker);
  return worker;
}

/** An authorized source in a new organization. */
async function authorizedSource(host: string): Promise<string> {
  key = await service.mint(await service.createOrganization());
  const post = async (path: string, body: object) => (await call(service.url, key, 'POST', path, body)).json;
  systemId = (await post('/api/v1/systems', { name: 'S', environment: 'test', kind: 'site' })).system.id;
  const { source } = await post('/api/v1/sources', { system_id: systemId, name: 'W', kind: 'website', host });
  await post(`/api/v1/sources/${source.id}/risk-accept`, {});
  await post(`/api/v1/sources/${source.id}/authorize-scan`, {});
  return source.id;
}

async function requestScan(target: object): Promise<string> {
  const answer = await call(service.url, key, 'POST', '/api/v1/scans', {
    ...target,
    idempotency_key: randomUUID(),
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.scan.id;
}

async function finished(scanId: string, seconds = 60) {
  return poll(
    'the scan to finish',
    async () => {
      // Read from the database, since the API's rate limit is not tested here.
      const { rows } = await asOwner(service.database.connection, client =>
        client.query('select finished_at from scans where id = $1', [scanId]),
      );
      if (!rows[0]?.finished_at) return undefined;
      return (await call(service.url, key, 'GET', `/api/v1/scans/${scanId}`)).json.scan;
    },
    seconds,
  );
}

const findings = async () =>
  (await call(service.url, key, 'GET', '/api/v1/findings')).json.findings as {
    id: string;
    category: string;
    status: string;
  }[];

async function site(handler: Parameters<typeof httpServer>[0]): Promise<TestServer> {
  const server = await httpServer(handler);
  opened.push(server);
  return server;
}

it('plans a run per detector, finds flaws, resolves fixed ones and reopens those that reappear (spec 2, 3)', async () => {
  let banner = true;
  const { port } = await site((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (banner) response.setHeader('x-powered-by', 'PHP/5.6.40');
    response.end('<!doctype html><title>Shop</title><p>Welcome');
  });
  const sourceId = await authorizedSource(`http://127.0.0.1:${port}/`);
  await startWorker();
  const first = await finished(await requestScan({ source_id: sourceId }));
  expect(first).toMatchObject({
    status: 'completed',
    verdict: 'fail',
    runs_planned: detectors.length,
    runs_succeeded: detectors.length,
  });
  expect(first.runs.map((run: { detector: string }) => run.detector)).toEqual(detectors);
  expect(first.runs.every((run: { finished_at: string }) => run.finished_at)).toBe(true);
  const opened1 = await findings();
  expect(opened1.map(finding => finding.category)).toContain('transport.no_https');
  const flaw = opened1.find(finding => finding.category === 'headers.version_banner')!;
  expect(flaw?.status).toBe('open');

  banner = false;
  await finished(await requestScan({ system_id: systemId }));
  const mended = await findings();
  expect(mended.find(finding => finding.id === flaw.id)?.status).toBe('resolved');
  expect(mended).toHaveLength(opened1.length);

  banner = true;
  await finished(await requestScan({ source_id: sourceId }));
  const again = await findings();
  expect(again.find(finding => finding.id === flaw.id)?.status, 'the same finding').toBe('open');
  expect(again).toHaveLength(opened1.length);
  const episodes = await asOwner(service.database.connection, client =>
    client.query(
      'select number, closed_at is not null as closed from finding_episodes where finding_id = $1 order by 1',
      [flaw.id],
    ),
  );
  expect(episodes.rows).toEqual([
    { number: 1, closed: true },
    { number: 2, closed: false },
  ]);
});

it('leaves findings open if the page has a form that the scan cannot read', async () => {
  const secret = ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_');
  const html = Buffer.from(`<!doctype html><title>Shop</title><script>const key = '${secret}'</script>`);
  let coding = 'identity';
  const { port } = await site((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-encoding', coding);
    response.end(coding === 'identity' ? html : deflateSync(html));
  });
  const sourceId = await authorizedSource(`http://127.0.0.1:${port}/`);
  await startWorker();
  await finished(await requestScan({ source_id: sourceId }));
  const first = await findings();
  const ofKey = (list: typeof first) => list.find(({ category }) => category === 'secrets.payment_key');
  expect(ofKey(first)?.status).toBe('open');

  coding = 'zstd';
  const scan = await finished(await requestScan({ source_id: sourceId }));
  expect(scan).toMatchObject({ status: 'completed', verdict: 'fail' });
  expect(ofKey(await findings())?.status).toBe('open');
});

it('leaves findings of a start page open while the site redirects elsewhere, until the page is gone', async () => {
  let start = '/shop';
  let shop = 200;
  const { port } = await site((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (request.url === '/') response.writeHead(302, { location: start }).end();
    else if (request.url === '/shop' && shop === 200)
      response.end('<!doctype html><title>Shop</title><script src="https://cdn.example/a.js"></script>');
    else if (request.url === '/welcome') response.end('<!doctype html><title>Welcome</title><p>Hello');
    else response.writeHead(404).end();
  });
  const sourceId = await authorizedSource(`http://127.0.0.1:${port}/`);
  await startWorker();
  const statusAfterScan = async () => {
    await finished(await requestScan({ source_id: sourceId }));
    return (await findings()).find(({ category }) => category === 'page.no_integrity')?.status;
  };
  expect(await statusAfterScan()).toBe('open');
  const outcome = async () =>
    (
      await asOwner(service.database.connection, client =>
        client.query('select outcome from check_assessments where source_id = $1 and check_id = $2', [
          sourceId,
          'page.no_integrity',
        ]),
      )
    ).rows[0]?.outcome;
  start = '/welcome';
  expect([await statusAfterScan(), await outcome()]).toEqual(['open', 'not_assessed']);
  shop = 404;
  expect([await statusAfterScan(), await outcome()]).toEqual(['resolved', 'passed']);
});

it('fails with a cause if the target cannot or may not be reached (spec 2)', async () => {
  await startWorker({ PARAPET_TARGET_ALLOWLIST: '127.0.0.9/32' });
  for (const [host, cause] of [
    ['http://127.0.0.9:1/', 'connection_refused'],
    ['http://127.0.0.1:1/', 'refused_private_address'],
    ['http://[::ffff:127.0.0.1]:1/', 'refused_private_address'],
    ['no-such-host.invalid', 'dns_failed'],
  ]) {
    const sourceId = await authorizedSource(host!);
    const scan = await finished(await requestScan({ source_id: sourceId }));
    expect(scan, host).toMatchObject({ status: 'failed', verdict: 'inconclusive', runs_succeeded: 0 });
    const causes = await asOwner(service.database.connection, client =>
      client.query('select distinct status, cause from scan_runs where scan_id = $1', [scan.id]),
    );
    expect(causes.rows, host).toEqual([{ status: 'failed', cause }]);
  }
});

it('cancels the scan of a source that is disconnected before a worker has planned it (spec 4)', async () => {
  const sourceId = await authorizedSource('http://127.0.0.1:1/');
  const scanId = await requestScan({ source_id: sourceId });
  await call(service.url, key, 'DELETE', `/api/v1/sources/${sourceId}`);
  expect(await finished(scanId)).toMatchObject({
    status: 'canceled',
    verdict: 'inconclusive',
    runs_planned: 0,
  });
});

it('continues on another worker when one is killed', async () => {
  let asked = 0;
  let hang = true;
  const { port } = await site((_request, response) => {
    asked++;
    // Never responds, so that the inspection lasts as long as its worker.
    if (!hang) response.end('<!doctype html><title>Late</title>');
  });
  const sourceId = await authorizedSource(`http://127.0.0.1:${port}/`);
  const doomed = await startWorker();
  const scanId = await requestScan({ source_id: sourceId });
  await poll('the inspection to begin', async () => (asked > 0 ? true : undefined));
  await doomed.kill('SIGKILL');
  hang = false;
  await startWorker();
  const scan = await finished(scanId, 60);
  expect(scan).toMatchObject({
    status: 'completed',
    runs_planned: detectors.length,
    runs_succeeded: detectors.length,
  });
  const { rows } = await asOwner(service.database.connection, client =>
    client.query(
      'select count(*)::int as findings, count(distinct (category, locator))::int as flaws from findings where source_id = $1',
      [sourceId],
    ),
  );
  expect(rows[0].findings).toBeGreaterThan(0);
  expect(rows[0].findings, 'none twice').toBe(rows[0].flaws);
});

it('gives up with a cause when every try fails', async () => {
  const silent = await rawServer(() => {});
  opened.push(silent);
  const sourceId = await authorizedSource(`http://127.0.0.1:${silent.port}/`);
  await startWorker();
  // Stored under a master key that the worker does not have: each try fails internally.
  await call(service.url, key, 'POST', `/api/v1/sources/${sourceId}/credential`, {
    credential: { type: 'basic', username: 'u', password: 'p' },
  });
  const scanId = await requestScan({ source_id: sourceId });
  const scan = await finished(scanId, 90);
  expect(scan).toMatchObject({
    status: 'failed',
    verdict: 'inconclusive',
    runs_planned: detectors.length,
    runs_succeeded: 0,
  });
  const causes = await asOwner(service.database.connection, client =>
    client.query('select distinct status, cause from scan_runs where scan_id = $1', [scanId]),
  );
  expect(causes.rows).toEqual([{ status: 'failed', cause: 'retries_exhausted' }]);
  // No worker starts while records are encrypted under a key that it does not have.
  await call(service.url, key, 'DELETE', `/api/v1/sources/${sourceId}`);
});

it('scans at most two sources of one host at once', async () => {
  let inFlight = 0;
  let most = 0;
  const { port } = await site((request, response) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    response.on('close', () => {
      inFlight -= 1;
    });
    const status = request.url!.startsWith('/shop') ? 200 : 404;
    // As slow as a server on a network.
    setTimeout(() => response.writeHead(status, { 'content-type': 'text/html' }).end('<p>Shop'), 20);
  });
  // A name, since addresses in the allowlist belong to the operator and are not limited.
  const at = (path: string) => `http://localhost:${port}/shop/${path}`;
  await authorizedSource(at('0'));
  for (const path of ['1', '2', '3', '4', '5']) {
    const body = { system_id: systemId, name: path, kind: 'website', host: at(path) };
    const { source } = (await call(service.url, key, 'POST', '/api/v1/sources', body)).json;
    await call(service.url, key, 'POST', `/api/v1/sources/${source.id}/risk-accept`, {});
    await call(service.url, key, 'POST', `/api/v1/sources/${source.id}/authorize-scan`, {});
  }
  const id = await requestScan({ system_id: systemId });
  await startWorker({ PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8,::1/128' });
  expect(await finished(id)).toMatchObject({ status: 'completed', runs_planned: 6 * detectors.length });
  expect(most).toBe(2);
});
