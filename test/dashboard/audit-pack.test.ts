import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/contract/dashboard/evidence.ts';
import { newestAttestations } from '../../src/resources/controls/attestations.ts';
import { storeEvidence } from '../../src/resources/evidence/evidence.ts';
import { decide } from '../../src/resources/findings/triage.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { assessmentsOf, storeAssessments } from '../support/assessments.ts';
import { canTest } from '../support/can-test.ts';
import { readPdf } from '../support/pdf-text.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { startService, type TestService } from '../support/service.ts';
import { unzip } from '../support/unzip.ts';

let service: TestService;
let fixture: Fixture;
let admin: TestPerson;
let evidence: Evidence;
let folder: string;
const today = new Date().toISOString().slice(0, 10);
const notes = Buffer.from('Zażółć gęślą jaźń\n'.repeat(30_000));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-pack-'));
  service = await startService();
  fixture = await createFixture(service);
  admin = await addPerson(service, fixture.organizationId, 'admin');
  const own = service.storage.tenant(fixture.organizationId, { kind: 'person', id: admin.id });
  await asOwner(service.database.connection, async client => {
    await client.query(`update people set name = 'Ólafur Þórsson' where id = $1`, [admin.id]);
    await client.query(`update organizations set name = 'Клиника Ελπίδα' where id = $1`, [
      fixture.organizationId,
    ]);
    const { organizationId, systemId, sourceId, scanId } = fixture;
    await client.query(
      `insert into sources (organization_id, system_id, name, kind, host, connection_mode, status)
        values ($1, $2, 'Old clinic', 'website', 'old.example', 'direct', 'disconnected'),
          ($1, $2, 'Planned portal', 'website', 'portal.example', 'direct', 'draft'),
          ($1, $2, 'Records', 'postgres', 'db.example', 'direct', 'connected')`,
      [organizationId, systemId],
    );
    const silent = await client.query(
      `insert into sources (organization_id, system_id, name, kind, host, connection_mode, status)
        values ($1, $2, 'Silent', 'website', 'silent.example', 'direct', 'failing') returning id`,
      [organizationId, systemId],
    );
    await client.query(
      storeAssessments(
        assessmentsOf(
          organizationId,
          silent.rows[0].id,
          scanId,
          `('tls.weak_key', 'not_assessed', 'The connection was refused.', now()),
            ('tls.no_caa', 'passed', null, now() - interval '91 days')`,
        ),
      ),
    );
    await client.query(
      `insert into systems (organization_id, name, environment, kind) values ($1, 'Billing', 'production', 'api')`,
      [organizationId],
    );
    await client.query(
      storeAssessments(
        assessmentsOf(
          organizationId,
          sourceId,
          scanId,
          `('tls.weak_cipher', 'not_assessed', 'The handshake was cut off.', now()),
            ('tls.no_caa', 'not_applicable', 'Addresses have no CAA records.', now()),
            ('tls.weak_key', 'passed', null, now() - interval '91 days'),
            ('transport.no_https', 'passed', null, '2026-11-20T08:00Z')`,
        ),
      ),
    );
    await client.query(
      `insert into findings (organization_id, system_id, source_id, category, fingerprint, locator, severity, title,
          remediation, seen, hipaa)
        values ($1, $2, $3, 'tls.no_tls13', 'info', 'l', 'info', 'TLS 1.3 is not offered', 'r', 's', false)`,
      [organizationId, systemId, sourceId],
    );
    await client.query(
      `insert into findings (organization_id, system_id, source_id, category, fingerprint, locator, severity, title,
          remediation, seen, hipaa)
        select $1, $2, $3, 'tls.legacy_protocol', n::text, 'l', 'critical', 'Old protocol versions are accepted',
          'Turn TLS 1.0 off.', 'It took TLS 1.0 on port ' || n, true from generate_series(1, 2500) as n`,
      [fixture.organizationId, fixture.systemId, fixture.sourceId],
    );
  });
  evidence = await own.transaction(transaction =>
    storeEvidence(transaction, service.storage.keyRing, {
      kind: 'file',
      name: 'Notizen über alles.txt',
      mediaType: 'text/plain',
      content: notes,
    }),
  );
  await own.transaction(transaction =>
    decide(transaction, [fixture.findingId], {
      decision: 'accepted',
      reason: 'It is replaced in January.',
      until: new Date(Date.now() + 30 * 24 * 3600 * 1000),
    }),
  );
  await admin.client.post(`/organizations/${fixture.organizationId}/controls/164.310(c)/attestations`, {
    statement: 'Screens lock after five minutes, see policy 7.',
    valid_until: new Date(Date.now() + 3_600_000).toISOString(),
  });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await service?.close();
});

const request = (query: string, { client } = admin, organization = fixture.organizationId) =>
  fetch(`${client.url}/dashboard/api/organizations/${organization}/audit-pack?${query}`, {
    headers: { cookie: client.cookie! },
  });
const sum = 'sha256sum';
/** Whether auditors' tools are installed. */
const hasTools = ['unzip', sum].every(tool => {
  const found = (process.env.PATH ?? '').split(':').some(folder => existsSync(join(folder, tool)));
  return canTest(found, `${tool} is not installed; the audit pack is not opened with it`);
});

describe('an audit pack', () => {
  let archive: Buffer;
  let files: Map<string, Buffer>;
  const text = (path: string) => files.get(path)!.toString();
  const json = (path: string) => JSON.parse(text(path));
  beforeAll(async () => {
    const answer = await request(`from=2026-01-01&until=${today}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toContain(`audit-pack-2026-01-01-${today}.zip`);
    archive = Buffer.from(await answer.arrayBuffer());
    await writeFile(join(folder, 'pack.zip'), archive);
    files = await unzip(archive);
  });

  it('has a report, the same as JSON, the evidence, and a valid hash of each', async () => {
    expect([...files.keys()]).toEqual([
      'README.txt',
      'report.pdf',
      'json/pack.json',
      'json/controls.json',
      'json/out-of-scope.json',
      'json/findings.jsonl',
      'json/decisions.json',
      'json/attestations.json',
      'json/evidence.json',
      'json/scans.jsonl',
      'json/audit-log.jsonl',
      'json/audit-chain.json',
      `evidence/${evidence.id}/Notizen über alles.txt`,
      'SHA256SUMS',
    ]);
    const sums = text('SHA256SUMS').trimEnd().split('\n');
    expect(sums).toEqual(
      [...files]
        .filter(([path]) => path !== 'SHA256SUMS')
        .map(([path, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${path}`),
    );
    expect(files.get(`evidence/${evidence.id}/${evidence.name}`)!.equals(notes)).toBe(true);
  });

  it.skipIf(!hasTools)('opens with unzip, and sha256sum verifies it', async () => {
    // File names are UTF-8, which unzip takes from the locale.
    const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' };
    execFileSync('unzip', ['-q', 'pack.zip', '-d', 'unpacked'], { cwd: folder, env });
    const unpacked = join(folder, 'unpacked');
    const verified = execFileSync(sum, ['-c', 'SHA256SUMS'], { cwd: unpacked, encoding: 'utf8' });
    expect(
      verified
        .trimEnd()
        .split('\n')
        .every(line => line.endsWith(': OK')),
    ).toBe(true);
    await writeFile(join(unpacked, 'README.txt'), 'changed');
    expect(() => execFileSync(sum, ['-c', 'SHA256SUMS'], { cwd: unpacked, stdio: 'ignore' })).toThrow();
  });

  it('has the same facts in its files as the dashboard', async () => {
    expect(json('json/pack.json')).toMatchObject({
      organization: { id: fixture.organizationId, name: 'Клиника Ελπίδα' },
      period: { from: '2026-01-01', until: today },
      made_by: 'Ólafur Þórsson',
    });
    const { json: matrix } = await admin.client.get(`/organizations/${fixture.organizationId}/controls`);
    expect(json('json/controls.json').totals).toEqual(matrix.totals);
    expect(text('json/findings.jsonl').trimEnd().split('\n')).toHaveLength(2502);
    expect(json('json/decisions.json')).toMatchObject([
      { decision: 'accepted', reason: 'It is replaced in January.', decided_by: 'Ólafur Þórsson' },
    ]);
    expect(json('json/attestations.json')).toMatchObject([{ control: '164.310(c)', state: 'current' }]);
    expect(json('json/evidence.json')).toMatchObject([
      { id: evidence.id, sha256: createHash('sha256').update(notes).digest('hex') },
    ]);
    expect(JSON.parse(text('json/scans.jsonl'))).toMatchObject({ id: fixture.scanId, target: 'Front' });
    const entries = text('json/audit-log.jsonl')
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(entries[0]).toMatchObject({ action: 'audit_pack.made', actor: { name: 'Ólafur Þórsson' } });
    expect(json('json/audit-chain.json')).toMatchObject({ holds: true, entries: entries[0].sequence });
  });

  it('names what is out of scope, in its files and in the report', () => {
    const { kinds, sources, systems, checks, checks_not_run, informational_findings, incomplete } =
      json('json/out-of-scope.json');
    expect(sources.map(({ name, why }: { name: string; why: string }) => `${name}: ${why}`)).toEqual([
      'Silent: not_assessed',
      'Records: never_scanned',
      'Planned portal: draft',
      'Old clinic: disconnected',
    ]);
    expect(systems).toEqual(['Billing']);
    const inScope = kinds.map((kind: Record<string, unknown>) => [
      kind.kind,
      kind.sources,
      kind.never_scanned,
      kind.not_assessed,
    ]);
    expect(inScope).toEqual([
      ['website', 2, 0, 1],
      ['postgres', 1, 1, 1],
      ['mysql', 0, 0, 0],
      ['redis', 0, 0, 0],
      ['supabase', 0, 0, 0],
    ]);
    const tell = (one: { check: string; result: string; reason: string | null; sources: string[] }) =>
      `${one.check} ${one.result} on ${one.sources}: ${one.reason}`;
    expect(checks.map(tell)).toEqual([
      'tls.no_caa outdated on Silent: null',
      'tls.weak_key outdated on Front: null',
      'tls.weak_cipher not_assessed on Front: The handshake was cut off.',
      'tls.weak_key not_assessed on Silent: The connection was refused.',
      'tls.no_caa not_applicable on Front: Addresses have no CAA records.',
    ]);
    const notRun = checks_not_run.map(({ check }: { check: string }) => check);
    expect(notRun).toContain('csp.missing');
    expect(notRun).not.toContain('tls.weak_key');
    expect(notRun, 'of a source that was never scanned').not.toContain('postgres.ssl_off');
    expect(informational_findings).toEqual([
      { category: 'tls.no_tls13', title: 'TLS 1.3 is not offered', findings: 1, sources: 1 },
    ]);
    expect(incomplete).toBe(false);
    const words = readPdf(files.get('report.pdf')!).pages.join(' ').replaceAll(/\s+/g, ' ');
    for (const part of [
      'Out of scope and not assessed',
      'Planned portal',
      'Never scanned',
      'Not assessed recently',
      'Systems without a source in scope: Billing.',
      'The handshake was cut off.',
      'tls.no_tls13',
      'No source of these types is in scope, so none of their checks ran: MySQL and MariaDB (',
    ]) {
      expect(words, part).toContain(part);
    }
  });

  it('lists the passed checks that show a safeguard, with place and time, and why each check maps to a control', () => {
    const controls = json('json/controls.json').controls as {
      citation: string;
      passes: object[];
      checks: object[];
    }[];
    const encryption = controls.find(({ citation }) => citation === '164.312(e)(2)(ii)')!;
    expect(encryption.passes).toEqual([
      {
        check: 'transport.no_https',
        source_id: fixture.sourceId,
        source_name: 'Front',
        passed_at: expect.stringContaining('2026-11-20'),
        probe: null,
      },
    ]);
    expect(encryption.checks).toContainEqual(
      expect.objectContaining({
        id: 'transport.mixed_content',
        effect: 'lowers',
        reason: expect.any(String),
      }),
    );
    const words = readPdf(files.get('report.pdf')!).pages.join(' ').replaceAll(/\s+/g, ' ');
    expect(words).toContain('2026-11-20 08:00 UTC');
    expect(words).toContain('Anyone on the network path can read what is sent over plain HTTP.');
    expect(words).toContain(
      'No retained evidence is linked. This attestation does not support the control because no document is linked as evidence.',
    );
  });

  it('has an accessible report with text that can be searched', () => {
    const { pages, structure, bytes } = readPdf(files.get('report.pdf')!);
    const all = pages.join('\n');
    const words = all.replaceAll(/\s+/g, ' ');
    for (const part of [
      'Security evidence report for Клиника Ελπίδα',
      'by Ólafur Þórsson',
      'Control matrix',
      '164.312 Technical safeguards',
      '164.316(b)(2)(iii)',
      'Attested without evidence. Link evidence to support this control.',
      'Critical: 2500',
      'Old protocol versions are accepted',
      'Fix: Turn TLS 1.0 off.',
      'This list is truncated. The full list is in json/findings.jsonl.',
      'It is replaced in January.',
      'Sources in scope 3 Sources never scanned 1 Sources not assessed in the last 90 days 2',
      '164.310(c): from',
      'Evidence created in the period 1 Evidence of these attestations from other dates 0',
      'The period had not ended, so its records stop at that time.',
      'Screens lock after five minutes, see policy 7.',
      'Notizen über alles.txt',
      createHash('sha256').update(notes).digest('hex').slice(0, 20),
      'The hash chain is valid: all',
      `Page ${pages.length} of ${pages.length}`,
    ]) {
      expect(words, part).toContain(part);
    }
    expect(words).not.toMatch(/\bcompliant\b/i);
    expect(words, 'the fonts have every character').not.toContain('�');
    expect(pages.length).toBeLessThan(25);
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
    }
    const count = (type: string) => structure.filter(one => one === type).length;
    expect(count('H1')).toBe(12);
    expect(count('H2')).toBeGreaterThanOrEqual(6);
    expect(count('Table')).toBeGreaterThanOrEqual(9);
    expect(count('TR')).toBeGreaterThan(65);
    const file = bytes.toString('latin1');
    for (const mark of ['/Lang (en-US)', '/MarkInfo', '/Marked true', '/DisplayDocTitle true', '/Outlines']) {
      expect(file, mark).toContain(mark);
    }
  });

  it('is itself in the audit log', async () => {
    const { rows } = await asOwner(service.database.connection, client =>
      client.query(
        `select detail from ${recordedEntries} where action = 'audit_pack.made' and actor_id = $1`,
        [admin.id],
      ),
    );
    expect(rows).toEqual([{ detail: { from: '2026-01-01', until: today } }]);
  });
});

it('contains nothing from before or after its period', async () => {
  const files = await unzip(
    Buffer.from(await (await request('from=2020-01-01&until=2020-12-31')).arrayBuffer()),
  );
  const empty = ['json/scans.jsonl', 'json/audit-log.jsonl'].map(path => files.get(path)!.length);
  expect(empty).toEqual([0, 0]);
  expect([...files.keys()].filter(path => path.startsWith('evidence/'))).toEqual([]);
  const words = readPdf(files.get('report.pdf')!).pages.join(' ');
  expect(words).toContain('No scans in the period.');
  expect(words).toContain('No attestations were in effect during the period.');
  expect(words.replaceAll(/\s+/g, ' ')).toContain(', not the end of the period.');
});

it('cannot be of a future period', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const answer = await request(`from=${tomorrow}&until=${tomorrow}`);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    error_code: 'invalid_query',
    fields: [{ path: 'from', message: 'must not be in the future (in UTC)' }],
  });
  expect((await request(`from=${today}&until=${tomorrow}`)).status).toBe(200);
});

it('has the attestations in effect during the period, and not those superseded before', async () => {
  const own = await createFixture(service);
  const owner = await addPerson(service, own.organizationId, 'owner');
  await asOwner(service.database.connection, client =>
    client.query(
      `insert into control_attestations (organization_id, control, statement, attested_by, attested_at, valid_until)
        values ($1, '164.310(c)', 'First', $2, '2026-01-01', '2026-12-01'),
          ($1, '164.310(c)', 'Second', $2, '2026-02-01', '2026-12-01'),
          ($1, '164.310(c)', 'Third', $2, '2026-03-15', '2026-12-01')`,
      [own.organizationId, owner.id],
    ),
  );
  const answer = await request('from=2026-03-01&until=2026-03-31', owner, own.organizationId);
  const files = await unzip(Buffer.from(await answer.arrayBuffer()));
  const attestations: { statement: string }[] = JSON.parse(files.get('json/attestations.json')!.toString());
  expect(attestations.map(({ statement }) => statement)).toEqual(['Third', 'Second']);
});

it('can be created for an organization without data', async () => {
  const fresh = await service.createOrganization();
  const owner = await addPerson(service, fresh, 'owner');
  const files = await unzip(
    Buffer.from(await (await request(`from=${today}&until=${today}`, owner, fresh)).arrayBuffer()),
  );
  const words = readPdf(files.get('report.pdf')!).pages.join(' ').replaceAll(/\s+/g, ' ');
  for (const part of [
    'None of the mapped checks ran: no source is in scope.',
    'No sources are registered, so nothing was scanned.',
    'No source in scope was scanned, so no checks ran.',
    'No source in scope was assessed in the last 90 days, so findings could not be detected.',
    'Open critical and high findings Not assessed',
  ]) {
    expect(words, part).toContain(part);
  }
  expect(words).not.toMatch(/Every (source|check)|No open findings above informational/);
});

it('has file names that are valid in file systems, even for long names of evidence', async () => {
  const own = await createFixture(service);
  const owner = await addPerson(service, own.organizationId, 'owner');
  const name = `${'審'.repeat(196)}.txt`;
  const path = `/organizations/${own.organizationId}/evidence/files?name=${encodeURIComponent(name)}`;
  const { json } = await owner.client.request('POST', path, 'logs', {
    'content-type': 'application/octet-stream',
  });
  const answer = await request(`from=${today}&until=${today}`, owner, own.organizationId);
  const files = await unzip(Buffer.from(await answer.arrayBuffer()));
  for (const file of files.keys())
    for (const part of file.split('/')) expect(Buffer.byteLength(part), file).toBeLessThanOrEqual(255);
  const [item] = JSON.parse(files.get('json/evidence.json')!.toString());
  expect(item).toMatchObject({ id: json.evidence.id, name });
  expect(item.path).toMatch(/審\.txt$/);
  expect(files.get(item.path)!.toString()).toBe('logs');
});

it('breaks off if evidence was altered, and allows the next one', async () => {
  const crowded = await createFixture(service);
  const owner = await addPerson(service, crowded.organizationId, 'owner');
  const own = service.storage.tenant(crowded.organizationId, { kind: 'person', id: owner.id });
  const { id } = await own.transaction(transaction =>
    storeEvidence(transaction, service.storage.keyRing, {
      kind: 'file',
      name: 'a.txt',
      mediaType: 'text/plain',
      content: notes,
    }),
  );
  const change = (piece: string) =>
    asOwner(service.database.connection, async client => {
      await client.query('set session_replication_role = replica');
      await client.query(
        `update evidence_pieces set ciphertext = set_byte(ciphertext, 50, get_byte(ciphertext, 50) # 1)
          where evidence_id = $1 and number = ${piece}`,
        [id],
      );
    });
  await change('1');
  const make = () => request(`from=${today}&until=${today}`, owner, crowded.organizationId);
  for (let time = 0; time < 3; time += 1) {
    await expect(make().then(answer => answer.arrayBuffer())).rejects.toThrow();
  }
  await change('1');
  expect((await unzip(Buffer.from(await (await make()).arrayBuffer()))).size).toBe(14);
});

it('has a page that explains that its report is too large, and does not block the event loop', async () => {
  const crowded = await createFixture(service);
  const owner = await addPerson(service, crowded.organizationId, 'owner');
  await asOwner(service.database.connection, client =>
    client.query(
      `insert into control_attestations (organization_id, control, statement, attested_by, valid_until)
        select $1, '164.310(c)', repeat(E'a\\n', 2000), $2, now() + interval '1 day' from generate_series(1, 80)`,
      [crowded.organizationId, owner.id],
    ),
  );
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const answer = await request(`from=${today}&until=${today}`, owner, crowded.organizationId);
  const files = await unzip(Buffer.from(await answer.arrayBuffer()));
  delay.disable();
  expect(delay.max / 1e6, 'milliseconds').toBeLessThan(1_000);
  const words = readPdf(files.get('report.pdf')!).pages.join(' ').replaceAll(/\s+/g, ' ');
  expect(words).toContain('This report could not be generated: its texts are too long');
  expect(words).toContain('Page 1 of 1');
  expect(files.get('SHA256SUMS')!.toString()).toContain(
    `${createHash('sha256').update(files.get('report.pdf')!).digest('hex')}  report.pdf`,
  );
  expect(JSON.parse(files.get('json/attestations.json')!.toString())).toHaveLength(80);
  expect(service.log.filter(line => line.includes('audit_pack.without_report'))).toEqual([
    expect.stringContaining('"reason":"too many pages"'),
  ]);
});

it('reads and writes long lists in pieces, and finds the newest of many attestations at once', async () => {
  const crowded = await createFixture(service);
  const owner = await addPerson(service, crowded.organizationId, 'owner');
  await asOwner(service.database.connection, client =>
    client.query(
      `insert into control_attestations (organization_id, control, statement, attested_by, attested_at, valid_until)
        select $1, '164.310(c)', repeat('a', 4000), $2, now() - n * interval '1 minute', now() + interval '1 day'
        from generate_series(1, 20000) as n`,
      [crowded.organizationId, owner.id],
    ),
  );
  await asOwner(service.database.connection, client => client.query('analyze control_attestations'));
  const own = service.storage.tenant(crowded.organizationId, { kind: 'person', id: owner.id });
  const newest = await own.read(async session => {
    await session.query({ text: "set local statement_timeout = '4s'" });
    return newestAttestations(session);
  });
  expect(newest).toMatchObject([{ control: '164.310(c)', state: 'current' }]);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const answer = await request(`from=2020-01-01&until=${today}`, owner, crowded.organizationId);
  let bytes = 0;
  for await (const chunk of answer.body!) bytes += chunk.length;
  delay.disable();
  expect(bytes).toBeGreaterThan(1_000_000);
  expect(delay.max / 1e6, 'milliseconds').toBeLessThan(500);
});

it('is for admins of this organization, and for a valid period', async () => {
  const member = await addPerson(service, fixture.organizationId, 'member');
  const stranger = await addPerson(service, await service.createOrganization(), 'owner');
  expect((await request(`from=${today}&until=${today}`, member)).status).toBe(403);
  expect((await request(`from=${today}&until=${today}`, stranger)).status).toBe(404);
  for (const query of [
    '',
    `from=${today}`,
    `from=${today}&until=2020-01-01`,
    'from=2026-02-31&until=2026-03-01',
  ]) {
    expect((await request(query)).status, query).toBe(400);
  }
});
