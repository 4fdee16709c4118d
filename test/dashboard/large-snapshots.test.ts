import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { evidenceLimits } from '../../src/contract/dashboard/evidence-limits.ts';
import { canonicalJson } from '../../src/domain/canonical-json.ts';
import { storeAssessments } from '../support/assessments.ts';
import { type AuthorizedSource, authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let tenant: AuthorizedSource;
let admin: TestPerson;
let scanId: string;
let base: string;
const sources = 400;
const findings = 2_000;

const sql = (text: string, values: unknown[]) =>
  asOwner(service.database.connection, client => client.query(text, values));

beforeAll(async () => {
  service = await startService();
  tenant = await authorizedSource(service);
  admin = await addPerson(service, tenant.organizationId, 'admin');
  base = `/organizations/${tenant.organizationId}/evidence`;
  scanId = await queuedScan(tenant);
  const { organizationId, systemId, sourceId } = tenant;
  await sql(
    `insert into sources (organization_id, system_id, name, kind, host, status, connection_mode)
      select organization_id, system_id, name || n, kind, host, 'connected', connection_mode
      from sources, generate_series(1, ${sources - 1}) as n where id = $1`,
    [sourceId],
  );
  await sql(
    `insert into scan_runs (organization_id, scan_id, source_id, detector, status)
      select $1, $2, id, 'website.d' || n, 'succeeded' from sources, generate_series(1, 13) as n where system_id = $3`,
    [organizationId, scanId, systemId],
  );
  await sql(`update scans set status = 'completed', finished_at = now() where id = $1`, [scanId]);
  await sql(
    storeAssessments(`select $1::uuid as organization_id, s.id as source_id, 'website.check-' || lpad(n::text, 3, '0') as check_id,
        case when n % 2 = 0 then 'passed' else 'not_assessed' end as outcome,
        case when n % 2 = 1 then repeat('The server answered with a challenge. ', 3) end as reason, $2::uuid as scan_id, now() as looked_at
      from sources s, generate_series(1, 150) as n where s.system_id = $3`),
    [organizationId, scanId, systemId],
  );
  await sql(
    `insert into findings (organization_id, system_id, source_id, category, fingerprint, locator, severity, title, remediation,
        seen, hipaa)
      select $1, $2, $3, 'website.check-001', n::text, repeat('é"\\', 200) || n, 'high', 'T', repeat('r', 500),
        repeat('s', 500), false
      from generate_series(1, ${findings}) as n`,
    [organizationId, systemId, sourceId],
  );
});
afterAll(() => service?.close());

/** Longest block of the event loop in milliseconds. */
async function stall(work: () => unknown): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await setTimeout(5);
  await work();
  await setTimeout(5);
  delay.disable();
  return delay.max / 1e6;
}

/** Lowest value of several attempts, until one is below the limit: the machine may be busy. */
async function leastStall(work: () => unknown, attempts: number, bound = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && least >= bound; attempt += 1) {
    least = Math.min(least, await stall(work));
  }
  return least;
}

async function cpuTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const take = async (body: object) => {
  const { status, json, text } = await admin.client.post(`${base}/snapshots`, body);
  expect(status, text).toBe(201);
  return json.evidence as { id: string; sha256: string; bytes: number };
};

const wanted = { controls: () => ({ kind: 'controls' }), scan: () => ({ kind: 'scan', scan_id: scanId }) };

it.each(['controls', 'scan'] as const)(
  'writes a large snapshot of %s in canonical form without blocking the event loop',
  async kind => {
    const { id, sha256 } = await take(wanted[kind]());
    const { text, status } = await admin.client.get(`${base}/${id}/content`);
    expect(status).toBe(200);
    expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
    const content = JSON.parse(text);
    expect(canonicalJson(content) === text, 'in canonical form').toBe(true);
    expect(content.sources).toHaveLength(sources);
    const names = content.sources.map(({ name }: { name: string }) => name);
    expect(new Set(names).size).toBe(sources);
    expect(content.sources[7].not_assessed).toHaveLength(75);
    expect(content.sources[7].passed).toEqual(content.sources[7].passed.toSorted());
    if (kind === 'scan') {
      expect(content.scan.runs).toHaveLength(sources * 13);
      expect(content).toMatchObject({ sources_total: sources, findings_total: findings });
      expect(content.findings).toHaveLength(findings);
    } else expect(content.sources_left_out).toBe(false);
    const atOnce = await leastStall(() => canonicalJson(JSON.parse(text)), 4);
    const writing = await leastStall(() => take(wanted[kind]()), 15, 0.4 * atOnce);
    expect(writing / atOnce, `${writing} ms, and ${atOnce} ms in one piece`).toBeLessThan(0.4);
  },
);

it('checks the available space before it writes a snapshot, and writes no more than fits', async () => {
  const written = Math.min(
    await cpuTime(() => take({ kind: 'controls' })),
    await cpuTime(() => take({ kind: 'controls' })),
  );
  const { bytes } = await take({ kind: 'controls' });
  const fill = (room: number) =>
    sql(
      `insert into evidence (organization_id, kind, name, media_type, bytes, sha256, created_by, master_key_id, wrapped_key)
        select $1, 'file', 'a.txt', 'text/plain', least(2000000000, left_over - 2000000000::bigint * n), sha256('a'), $2, 'k', 'k'
        from (select ${evidenceLimits.bytes} - $3::bigint - sum(bytes) as left_over from evidence where organization_id = $1) u,
          generate_series(0, (left_over / 2000000000)::int) as n`,
      [tenant.organizationId, admin.id, room],
    );
  const refuse = async () => {
    const { status, json } = await admin.client.post(`${base}/snapshots`, { kind: 'controls' });
    expect({ status, code: json.error_code }).toEqual({ status: 400, code: 'evidence_full' });
  };
  await fill(Math.floor(bytes / 20));
  const little = Math.min(await cpuTime(refuse), await cpuTime(refuse));
  expect(little / written, `${little} ms, and ${written} ms to write it`).toBeLessThan(0.6);
  await fill(0);
  const none = Math.min(await cpuTime(refuse), await cpuTime(refuse));
  expect(none / written, `${none} ms, and ${written} ms to write it`).toBeLessThan(0.25);
});
