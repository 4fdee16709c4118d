import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { canTest } from '../support/can-test.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call } from '../support/signing-client.ts';
import { httpServer, type TestServer } from '../support/website.ts';

const folder = fileURLToPath(new URL('../../deploy/monitoring/', import.meta.url));
const page = await readFile(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
const run = promisify(execFile);

let service: TestService;
let serving: ServingProcess;
let site: TestServer;
let management: string;
let key: ClientKey;

beforeAll(async () => {
  service = await startService();
  site = await httpServer((_request, response) => void response.end('<p>Hello</p>'));
  serving = await ServingProcess.serve(
    {
      DATABASE_URL: service.database.url,
      PARAPET_MASTER_KEY: randomBytes(32).toString('base64'),
      PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8',
      PARAPET_MANAGEMENT_PORT: '0',
    },
    ['--processes', '2'],
  );
  management = line('ready')!.management;
  key = await service.mint(await service.createOrganization());
  const post = async (path: string, body: object) => (await call(serving.url, key, 'POST', path, body)).json;
  const { system } = await post('/api/v1/systems', { name: 'S', environment: 'test', kind: 'site' });
  const { source } = await post('/api/v1/sources', {
    system_id: system.id,
    name: 'W',
    kind: 'website',
    host: `127.0.0.1:${site.port}`,
  });
  await post(`/api/v1/sources/${source.id}/risk-accept`, {});
  await post(`/api/v1/sources/${source.id}/authorize-scan`, {});
  const ingest = await service.mint(await organizationOf(key), { kind: 'probe', systemId: system.id });
  const event = { id: randomUUID(), kind: 'a.kind', occurred_at: '2026-11-21T08:00:00Z' };
  for (const events of [[event], [event, {}]])
    expect((await call(serving.url, ingest, 'POST', '/functions/v1/events-ingest', { events })).status).toBe(
      202,
    );
  expect((await call(serving.url, { ...key, token: ingest.token }, 'GET', '/api/v1/scans')).status).toBe(401);
  const { scan } = await post('/api/v1/scans', { source_id: source.id, idempotency_key: randomUUID() });
  await poll('the scan to end', () => line('scan.ended', scan.id), 60);
}, 120_000);
afterAll(async () => {
  await serving?.kill('SIGTERM');
  await site?.close();
  await service?.close();
});

// biome-ignore lint/suspicious/noExplicitAny: lines of every event
function line(msg: string, scanId?: string): any {
  const lines = serving.log.filter(text => text.startsWith('{')).map(text => JSON.parse(text));
  return lines.find(each => each.msg === msg && (scanId === undefined || each.scan_id === scanId));
}

async function organizationOf({ token_id }: ClientKey): Promise<string> {
  const { rows } = await asOwner(service.database.connection, client =>
    client.query<{ organization_id: string }>('select organization_id from api_keys where id = $1', [
      token_id,
    ]),
  );
  return rows[0]!.organization_id;
}

const metricsText = async () => (await fetch(`${management}/metrics`)).text();

/** Type and labels of the families of ours in the output, without `le` of histograms. */
function familiesIn(text: string): Map<string, { type: string; labels: Set<string> }> {
  const families = new Map<string, { type: string; labels: Set<string> }>();
  for (const [, name, type] of text.matchAll(/^# TYPE (parapet_\w+) (\w+)$/gm))
    families.set(name!, { type: type!, labels: new Set() });
  for (const [, sample, labels] of text.matchAll(/^(parapet_\w+)\{([^}]*)\}/gm)) {
    const family = families.get(sample!) ?? families.get(sample!.replace(/_(bucket|sum|count)$/, ''))!;
    for (const [, label] of labels!.matchAll(/(\w+)="/g)) if (label !== 'le') family.labels.add(label!);
  }
  return families;
}

it('reports exactly the documented metrics, with their types and labels', async () => {
  // Counts of other processes arrive with the next reading.
  await expect.poll(metricsText).toMatch(/parapet_scans_total\{.*\} 1\n/);
  const found = [...familiesIn(await metricsText())].map(([name, { type, labels }]) => [
    name,
    type,
    [...labels].sort(),
  ]);
  const rows = [...page.matchAll(/^\| `(parapet_\w+)` \| (\w+) \| (.*?) ?\|/gm)];
  const documented = rows.map(([, name, type, labels]) => [
    name!,
    type!,
    [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label!).sort(),
  ]);
  // Without a replica, there are none of it.
  const expected = documented.filter(([name]) => !/^parapet_replica_/.test(String(name)));
  const byName = (one: unknown[], other: unknown[]) => (one[0]! < other[0]! ? -1 : 1);
  // Nothing refused or cut a connection, no job failed, and heads are logged every ten minutes: no sample has their labels.
  const unused = /^parapet_(http_connections_refused|job_failures|audit_heads)_total$/;
  const known = expected.map(([name, type, labels]) => [name, type, unused.test(String(name)) ? [] : labels]);
  expect(found.sort(byName)).toEqual(known.sort(byName));
});

it('counts what happened, once for all processes', async () => {
  const text = await metricsText();
  for (const sample of [
    'parapet_events_total{channel="events",outcome="accepted"} 1',
    'parapet_events_total{channel="events",outcome="duplicates"} 1',
    'parapet_events_total{channel="events",outcome="rejected"} 1',
    'parapet_guard_decisions_total{decision="token"} 1',
    'parapet_http_refusals_total{status="401",reason="token"} 1',
    'parapet_scans_total{profile="safe_all_surfaces",status="completed"} 1',
    'parapet_scan_seconds_count{profile="safe_all_surfaces"} 1',
    'parapet_scan_runs_total{detector="website.headers",status="succeeded"} 1',
    'parapet_database_up 1',
    'parapet_jobs{queue="scan-inspect",state="waiting"} 0',
  ]) {
    expect(text.split('\n')).toContain(sample);
  }
  expect(text).toMatch(/^parapet_build_info\{version="[\d.]+",commit="",node="v[\d.]+"\} 1$/m);
  expect(text).not.toContain(key.token_id);
  expect(text, 'no ids').not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
});

it('logs a scan from its request to its end', () => {
  const ended = line('scan.ended');
  const { scan_id, organization_id, source_id } = ended;
  expect(line('scan.queued', scan_id)).toMatchObject({
    organization_id,
    source_id,
    request_id: expect.any(String),
  });
  expect(line('scan.started', scan_id)).toMatchObject({ organization_id, runs: ended.runs });
  expect(ended).toMatchObject({
    status: 'completed',
    seconds: expect.any(Number),
    causes: expect.any(Array),
  });
});

it('answers with the other metrics while the database does not respond', async () => {
  await asOwner(service.database.connection, async owner => {
    await owner.query('begin; lock table pgboss.queue in access exclusive mode');
    await expect.poll(metricsText, { timeout: 20_000 }).toMatch(/^parapet_database_up 0$/m);
    const text = await metricsText();
    expect(text).not.toMatch(/^parapet_jobs\{/m);
    expect(text).toMatch(/^parapet_http_requests_total\{/m);
    await owner.query('rollback');
  });
  await expect.poll(metricsText, { timeout: 20_000 }).toMatch(/^parapet_database_up 1$/m);
}, 60_000);

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

/** The expressions of the dashboard and of the alerts, by where they are. */
async function expressions(): Promise<[string, string][]> {
  const { panels } = JSON.parse(await readFile(join(folder, 'grafana.json'), 'utf8')) as { panels: Panel[] };
  const { groups } = parse(await readFile(join(folder, 'alerts.yaml'), 'utf8')) as {
    groups: { rules: { alert: string; expr: string }[] }[];
  };
  return [
    ...panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }): [string, string] => [title, expr.replaceAll('$__rate_interval', '5m')]),
    ),
    ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }): [string, string] => [alert, expr])),
  ];
}

it('has a dashboard and alerts that use only metrics and labels that exist', async () => {
  const text = await metricsText();
  const documented = new Map(
    [...page.matchAll(/^\| `(parapet_\w+)` \| \w+ \| (.*?) ?\|/gm)].map(([, name, labels]) => [
      name!,
      [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label!),
    ]),
  );
  const used = await expressions();
  expect(used.length).toBeGreaterThan(25);
  for (const [where, expr] of used) {
    for (const [, name, matchers] of expr.matchAll(/\b((?:parapet|nodejs)_\w+)(?:\{([^}]*)\})?/g)) {
      const family = name!.replace(/_(bucket|sum|count)$/, '');
      if (name!.startsWith('nodejs_')) expect(text, where).toContain(`\n${name}`);
      // Documented ones exist, as the test above shows, or do so with a replica.
      else
        expect([...documented.keys()], `${where}: ${name}`).toContain(documented.has(name!) ? name : family);
      for (const [, label] of (matchers ?? '').matchAll(/(\w+)=/g))
        expect(documented.get(name!) ?? documented.get(family), `${where}: ${name}`).toContain(label);
    }
    const by = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels]) => labels!.split(/, */));
    const labels = new Set([...documented.values()].flat());
    for (const label of by) expect(['le', 'instance', ...labels], `${where}: by ${label}`).toContain(label);
  }
});

const promtool = '/usr/bin/promtool';
const hasPromtool = canTest(
  existsSync(promtool),
  `${promtool} is not installed; alerts and the dashboard are not checked with it`,
);

it.runIf(hasPromtool)(
  'has alerts that fire as described, and expressions that Prometheus understands',
  async () => {
    await run(promtool, ['test', 'rules', join(folder, 'alerts.test.yaml')]);
    await run(promtool, ['check', 'rules', join(folder, 'alerts.yaml')]);
    const rules = (await expressions()).map(([, expr], index) => ({ record: `panel:${index}`, expr }));
    const temporary = await mkdtemp(join(tmpdir(), 'parapet-rules-'));
    const file = join(temporary, 'rules.json');
    await writeFile(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    await run(promtool, ['check', 'rules', file]);
    await rm(temporary, { recursive: true });
    const metrics = await metricsText();
    const checked = execFile(promtool, ['check', 'metrics']);
    checked.stdin!.end(metrics);
    const problems: string[] = [];
    checked.stderr!.on('data', text => problems.push(text));
    checked.stdout!.on('data', text => problems.push(text));
    await new Promise(resolve => checked.once('close', resolve));
    // Names of prom-client have no unit, which promtool only recommends.
    expect(
      problems
        .join('')
        .split('\n')
        .filter(text => text.startsWith('parapet_')),
    ).toEqual([]);
  },
);
