import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { requestVerification } from '../../src/resources/scans/request-verification.ts';
import { cancelScan } from '../../src/resources/scans/stop-scans.ts';
import {
  recordDomainProof,
  requestDomainProof,
  requestFullActiveScan,
} from '../../src/resources/sources/domain-proofs.ts';
import { depthOfFinding } from '../../src/scan/plan.ts';
import { type AuthorizedSource, authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { findScan } from '../support/find-scan.ts';
import { poll } from '../support/poll.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { httpServer, rawServer, type TestServer } from '../support/website.ts';

let service: TestService;
let worker: ServingProcess;
const opened: TestServer[] = [];

beforeAll(async () => {
  service = await startService();
  worker = await ServingProcess.work(service.database.url);
});
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});
afterAll(async () => {
  await worker?.kill('SIGTERM');
  await service?.close();
});

const ended = ({ store }: AuthorizedSource, id: string) =>
  poll('the scan to end', async () => {
    const scan = await findScan(store, id);
    return scan?.finished_at ? scan : undefined;
  });

interface FindingRow {
  id: string;
  category: string;
  status: string;
}
const findingsOf = ({ store }: AuthorizedSource) =>
  store.queryOnce<FindingRow>({ text: 'select id, category, status from findings' });

it('verifies one finding with only the detector that it needs, and leaves the others unchanged', async () => {
  let banner = true;
  const server = await httpServer((_request, response) => {
    if (banner) response.setHeader('x-powered-by', 'PHP/5.6.40');
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title>');
  });
  opened.push(server);
  const source = await authorizedSource(service, { host: `http://127.0.0.1:${server.port}/` });
  await ended(source, await queuedScan(source));
  const before = await findingsOf(source);
  const flaw = before.find(({ category }) => category === 'headers.version_banner')!;

  banner = false;
  const verification = await source.person.transaction(transaction =>
    requestVerification(transaction, flaw.id, {
      privilegedConnections: false,
      depthOfFinding,
      assertFullAllowed: () => {},
    }),
  );
  const scan = await ended(source, verification!.id);
  expect(scan).toMatchObject({ profile: 'verify_finding', status: 'completed', runs_planned: 1 });
  expect(scan.runs.map(({ detector, status }) => [detector, status])).toEqual([
    ['website.headers', 'succeeded'],
  ]);
  const after = await findingsOf(source);
  const changed = after.filter(({ id, status }) => before.find(one => one.id === id)?.status !== status);
  expect(changed).toEqual([{ ...flaw, status: 'resolved' }]);
});

it('stops within seconds, for any target, and keeps earlier results', async () => {
  let open = 0;
  // Accepts requests and never responds.
  const server = await rawServer(socket => {
    open += 1;
    socket.resume().on('close', () => {
      open -= 1;
    });
  });
  opened.push(server);
  const source = await authorizedSource(service, { host: `http://127.0.0.1:${server.port}/` });
  const id = await queuedScan(source);
  await poll('the scan to run', async () => {
    const scan = await findScan(source.store, id);
    return scan?.runs.some(({ status }) => status === 'running') || undefined;
  });
  // A run is marked as running before its process has started.
  await poll('a connection of the scan', async () => open > 0 || undefined);
  expect(await source.person.transaction(transaction => cancelScan(transaction, id))).toBe(true);
  const scan = await findScan(source.store, id);
  expect(scan).toMatchObject({ status: 'canceled', verdict: 'inconclusive' });
  expect(new Set(scan!.runs.map(({ status }) => status))).toEqual(new Set(['skipped']));
  await poll('the worker to close the connection', async () => open === 0 || undefined, 4);
  expect(await source.person.transaction(transaction => cancelScan(transaction, id))).toBe(false);
  expect(await findingsOf(source)).toEqual([]);
});

/** Proves the domain of a source and requests a full scan of it. */
const fullScan = (source: AuthorizedSource) =>
  source.person.transaction(async transaction => {
    const proof = await requestDomainProof(transaction, source.sourceId);
    await recordDomainProof(transaction, source.sourceId, 'well_known_file');
    return {
      proof,
      scan: await requestFullActiveScan(transaction, source.sourceId, { privilegedConnections: false }),
    };
  });

it('checks the proof of the domain again when a full_active scan starts', async () => {
  let token = 'not the token';
  const server = await httpServer((request, response) => {
    if (request.url === '/.well-known/parapet-challenge.txt') return void response.end(token);
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title>');
  });
  opened.push(server);
  const source = await authorizedSource(service, { host: `http://127.0.0.1:${server.port}/` });
  const { proof, scan } = await fullScan(source);
  expect(await ended(source, scan.id)).toMatchObject({ status: 'failed', verdict: 'inconclusive' });
  expect(await source.store.queryOnce({ text: 'select distinct cause from scan_runs' })).toEqual([
    { cause: 'domain_not_proven' },
  ]);
  token = proof.token;
  const proven = await fullScan(source);
  expect(await ended(source, proven.scan.id)).toMatchObject({ status: 'completed', profile: 'full_active' });
});

it('sends only the requests of a safe scan to a server that the proof does not cover, and reports what it left out', async () => {
  const asked: string[] = [];
  const other = await httpServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url !== '/') return void response.writeHead(404).end('<!doctype html><p>Not here');
    response.setHeader('content-type', 'text/html').end('<!doctype html><a href="/find?q=shoes">Shoes</a>');
  });
  let token = '';
  const proven = await httpServer((request, response) => {
    if (request.url === '/.well-known/parapet-challenge.txt') return void response.end(token);
    response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end();
  });
  opened.push(other, proven);
  const source = await authorizedSource(service, { host: `http://127.0.0.1:${proven.port}/` });
  const { proof, scan } = await fullScan(source);
  token = proof.token;
  expect(await ended(source, scan.id)).toMatchObject({ status: 'completed', profile: 'full_active' });
  expect(asked.length).toBeGreaterThan(30);
  expect(asked.length).toBeLessThanOrEqual(60);
  expect(asked.filter(one => !one.startsWith('GET ') || one.includes('%3C'))).toEqual([]);
  const left = await source.store.queryOnce<{ check_id: string }>({
    text: 'select check_id from check_assessments where outcome = $1 and reason = $2 order by check_id',
    values: ['not_assessed', 'The proof of the domain does not cover this host and port.'],
  });
  expect(left.map(({ check_id }) => check_id)).toEqual(
    expect.arrayContaining(['exposure.backup', 'methods.trace_enabled', 'reflection.parameter_as_markup']),
  );
});

it('finds more in a full scan, and leaves open what a safe scan does not assess', async () => {
  let isFixed = false;
  let token = '';
  const server = await httpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://site');
    if (pathname === '/.well-known/parapet-challenge.txt') return void response.end(token);
    response.setHeader('content-type', 'text/html');
    if (pathname === '/') {
      return void response.end('<!doctype html><title>Shop</title><a href="/find?q=shoes">Shoes</a>');
    }
    if (pathname === '/find') {
      const asked = isFixed ? 'something' : searchParams.get('q');
      return void response.end(`<!doctype html><p>Results for ${asked}`);
    }
    if (pathname === '/backend/.env' && !isFixed) {
      return void response.setHeader('content-type', 'text/plain').end('DB_PASSWORD=hunter2hunter2\n');
    }
    response.writeHead(404).end('<!doctype html><p>Not here');
  });
  opened.push(server);
  const source = await authorizedSource(service, { host: `http://127.0.0.1:${server.port}/` });
  ({ token } = await source.person.transaction(transaction =>
    requestDomainProof(transaction, source.sourceId),
  ));
  const { scan } = await fullScan(source);
  expect(await ended(source, scan.id)).toMatchObject({ status: 'completed', verdict: 'fail' });
  const deep = (await findingsOf(source)).filter(({ category }) =>
    ['exposure.secrets_file', 'reflection.parameter_as_markup'].includes(category),
  );
  expect(deep.map(({ status }) => status)).toEqual(['open', 'open']);
  const statusOf = async (id: string) =>
    (await findingsOf(source)).find(finding => finding.id === id)?.status;

  isFixed = true;
  await ended(source, await queuedScan(source));
  const [file, parameter] = ['exposure.secrets_file', 'reflection.parameter_as_markup'].map(
    check => deep.find(({ category }) => category === check)!.id,
  );
  // The safe scan requests the file again, but tests no parameter.
  expect(await statusOf(file!)).toBe('resolved');
  expect(await statusOf(parameter!)).toBe('open');
  const asked = await source.person.transaction(transaction =>
    requestVerification(transaction, parameter!, {
      privilegedConnections: false,
      depthOfFinding,
      assertFullAllowed: () => {},
    }),
  );
  expect(await ended(source, asked!.id)).toMatchObject({ status: 'completed', runs_planned: 1 });
  expect(await statusOf(parameter!)).toBe('resolved');
});
