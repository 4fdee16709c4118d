import { randomUUID } from 'node:crypto';
import type { Client } from '../../cli/client.ts';
import { ClientError } from '../../cli/client-error.ts';
import { followScan } from '../../cli/follow-scan.ts';
import { scanProgress } from '../../cli/progress.ts';
import { readFindings } from '../../cli/read-lists.ts';
import type { Finding } from '../../contract/findings.ts';
import type { Scan, ScanWithRuns } from '../../contract/scans.ts';
import type { ConnectionTest, RiskStatement, Source } from '../../contract/sources.ts';
import type { System } from '../../contract/systems.ts';
import { Exchange } from './exchange.ts';
import type { Narrator } from './narrator.ts';

export interface DemoResult {
  readonly source: Source;
  readonly scan: ScanWithRuns;
  readonly findings: readonly Finding[];
}

/** Runs the client's side of the demo with signed requests over HTTP. */
export async function runStory(
  client: Client,
  host: string,
  narrator: Narrator,
  signal: AbortSignal,
): Promise<DemoResult> {
  const exchange = new Exchange(client, narrator, signal);
  const system = await registerSystem(exchange, narrator);
  const source = await connectSource(exchange, narrator, system, host);
  const scan = await scanSource(exchange, narrator, source, client, signal);
  narrator.step(
    'Read the findings',
    'All open findings of this source, from every scan. There are no webhooks: clients poll.',
  );
  const target = `/api/v1/findings?status=open&source_id=${source.id}`;
  type Page = { findings: Finding[]; next_cursor: string | null };
  const { json } = await exchange.send<Page>('GET', target, undefined, page => ({
    findings: page.findings.length,
    fields: Object.keys(page.findings[0] ?? {}).join(', ') || 'none',
  }));
  const all =
    json.next_cursor === null
      ? json.findings
      : readFindings(client, { kind: 'source', id: source.id }, 'open');
  return { source, scan, findings: await all };
}

async function registerSystem(exchange: Exchange, narrator: Narrator): Promise<System> {
  narrator.step(
    'Register a system',
    'A system is an application or site of your organization. Sources and findings belong to a system.',
  );
  const body = { name: 'Patient portal', environment: 'test', kind: 'site' };
  const { json, answer } = await exchange.send<{ system: System }>(
    'POST',
    '/api/v1/systems',
    body,
    ({ system }) => ({
      id: system.id,
      approved: `${system.approved} (only a person can approve a system)`,
    }),
  );
  await exchange.replay(answer);
  return json.system;
}

async function connectSource(
  exchange: Exchange,
  narrator: Narrator,
  system: System,
  host: string,
): Promise<Source> {
  narrator.step(
    'Attach the website as a source',
    'A new source is a draft. Parapet connects to it only after its risk statement is accepted.',
  );
  type Created = { source: Source; risk_statement: RiskStatement };
  const body = { system_id: system.id, name: 'Portal website', kind: 'website', host };
  const { json } = await exchange.send<Created>('POST', '/api/v1/sources', body, created => ({
    id: created.source.id,
    status: created.source.status,
    'risk statement': `version ${created.risk_statement.version}: ${created.risk_statement.text}`,
  }));
  const path = `/api/v1/sources/${json.source.id}`;

  narrator.step('Accept the risk statement', 'Parapet records the accepted version, the time and the key.');
  type Accepted = { source: Source; risk_acceptance: { accepted_at: string } };
  const accepted = { statement_version: json.risk_statement.version };
  await exchange.send<Accepted>('POST', `${path}/risk-accept`, accepted, ({ source, risk_acceptance }) => ({
    status: source.status,
    accepted_at: risk_acceptance.accepted_at,
  }));

  narrator.step(
    'Test the connection',
    'Checks that Parapet can reach the website. A passed test does not authorize scans.',
  );
  type Tested = { source: Source; test: ConnectionTest };
  const tested = await exchange.send<Tested>('POST', `${path}/test`, {}, ({ source, test }) => ({
    ok: test.ok ? `true (${test.latency_ms} ms)` : `false (${test.error_code})`,
    status: source.status,
  }));
  refuseUnreachable(tested.json.test, host);

  narrator.step('Authorize scans', 'Allows safe scans, which read only what any visitor could.');
  const authorized = await exchange.send<{ source: Source }>(
    'POST',
    `${path}/authorize-scan`,
    {},
    ({ source }) => ({
      scan_authorized_at: source.scan_authorized_at,
    }),
  );
  return authorized.json.source;
}

/** A website whose address is not public and not in the allowlist. */
export const notPublic = (host: string) =>
  new ClientError(
    `${host} cannot be scanned: its address is not public. To allow it, add it to PARAPET_TARGET_ALLOWLIST, for example 10.20.0.0/16`,
  );

function refuseUnreachable(test: ConnectionTest, host: string): void {
  if (test.ok) return;
  if (test.error_code === 'refused_private_address') throw notPublic(host);
  throw new ClientError(`${host} cannot be scanned: the connection test failed with ${test.error_code}`);
}

async function scanSource(
  exchange: Exchange,
  narrator: Narrator,
  source: Source,
  client: Client,
  signal: AbortSignal,
): Promise<ScanWithRuns> {
  narrator.step('Request a scan', 'Retrying with the same idempotency key returns the same scan.');
  const body = { source_id: source.id, idempotency_key: `demo-${randomUUID()}` };
  const { json } = await exchange.send<{ scan: Scan }>('POST', '/api/v1/scans', body, ({ scan }) => ({
    id: scan.id,
    profile: scan.profile,
    status: scan.status,
  }));

  narrator.step('Follow the scan', 'Each poll is a signed GET with a new timestamp, nonce and signature.');
  narrator.line(`   ${narrator.colors.bold('GET')} /api/v1/scans/${json.scan.id}`);
  const progress = scanProgress(process.stderr);
  const scan = await followScan(client, json.scan.id, {
    progress,
    timeoutMs: 180_000,
    firstPauseMs: 250,
    signal,
  });
  narrator.facts({
    status: scan.status,
    verdict: scan.verdict,
    runs: scan.runs.map(run => `${run.detector} ${run.status}`).join(', '),
  });
  return scan;
}
