import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { planRuns } from '../../src/resources/scans/scan-runs.ts';
import { SandboxDied } from '../../src/sandbox/died.ts';
import { inspectSource } from '../../src/worker/tasks/inspect-source.ts';
import { planScan } from '../../src/worker/tasks/plan-scan.ts';
import { authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { loopbackSandbox } from '../support/sandbox.ts';
import { startService, type TestService } from '../support/service.ts';
import { httpServer } from '../support/website.ts';

const noMessages = { mailer: undefined, webhookAllowlist: [], dashboard: null };

const program = fileURLToPath(new URL('../support/sandbox-programs/misbehaving.cjs', import.meta.url));

let service: TestService;
let sandbox: ReturnType<typeof loopbackSandbox>;
beforeAll(async () => {
  service = await startService();
  sandbox = loopbackSandbox({ program });
});
afterAll(async () => {
  await sandbox?.close();
  await service?.close();
});

it('retries a job whose process died once, and not a second time', async () => {
  const source = await authorizedSource(service, { host: 'abort' });
  const scanId = await queuedScan(source);
  const { storage } = service;
  const isAllowlistedHost = () => true;
  const services = {
    storage,
    sandbox,
    isAllowlistedHost,
    privilegedConnections: false,
    messages: noMessages,
    log: () => {},
  };
  const job = { organizationId: source.organizationId, scanId, sourceId: source.sourceId };
  await planScan(services, job);
  const inspect = () => inspectSource(services, job, new AbortController().signal);
  const states = async () => ({
    scan: await source.store.queryOnce({ text: 'select status, verdict from scans' }),
    runs: await source.store.queryOnce({ text: 'select distinct status, cause from scan_runs' }),
  });

  await expect(inspect()).rejects.toBeInstanceOf(SandboxDied);
  expect(await states()).toMatchObject({ runs: [{ status: 'running', cause: null }] });
  await inspect();
  expect(sandbox.log).toHaveLength(2);
  const ended = {
    scan: [{ status: 'failed', verdict: 'inconclusive' }],
    runs: [{ status: 'failed', cause: 'crashed' }],
  };
  expect(await states()).toEqual(ended);
  expect(
    await source.store.queryOnce({ text: 'select distinct outcome, reason from check_assessments' }),
    'no check counts as passed',
  ).toEqual([
    {
      outcome: 'not_assessed',
      reason: 'The run failed. The scan process crashed. If the problem persists, report it.',
    },
  ]);

  await inspect();
  expect(sandbox.log, 'no further process').toHaveLength(2);
  expect(await states()).toEqual(ended);
});

it('reports runs that were planned by a version with other detectors', async () => {
  await using own = loopbackSandbox();
  const { port, close } = await httpServer((_request, response) => response.end('<!doctype html><p>Hello'));
  const source = await authorizedSource(service, { host: `http://127.0.0.1:${port}/` });
  const scanId = await queuedScan(source);
  const detectors = ['website.former', 'website.headers'];
  const runs = detectors.map(detector => ({ sourceId: source.sourceId, detector }));
  await source.store.transaction(transaction => planRuns(transaction, scanId, runs));
  const services = {
    storage: service.storage,
    sandbox: own,
    isAllowlistedHost: () => true,
    privilegedConnections: false,
    messages: noMessages,
    log: () => {},
  };
  const job = { organizationId: source.organizationId, scanId, sourceId: source.sourceId };
  await inspectSource(services, job, new AbortController().signal).finally(close);
  expect(
    await source.store.queryOnce({ text: 'select detector, status, cause from scan_runs order by detector' }),
  ).toMatchObject([
    { detector: 'website.former', status: 'failed', cause: 'detector_missing' },
    { detector: 'website.headers', status: 'succeeded' },
  ]);
});
