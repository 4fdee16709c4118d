import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Control, ControlDetail, ControlMatrix } from '../../src/contract/dashboard/controls.ts';
import type { TenantStore } from '../../src/storage/tenant-store.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let fixture: Fixture;
let admin: TestPerson;
let member: TestPerson;
let base: string;
let store: TenantStore;
beforeAll(async () => {
  service = await startService();
  fixture = await createFixture(service);
  admin = await addPerson(service, fixture.organizationId, 'admin');
  member = await addPerson(service, fixture.organizationId, 'member');
  base = `/organizations/${fixture.organizationId}/controls`;
  store = service.storage.tenant(fixture.organizationId, { kind: 'service', id: 'test' });
});
afterAll(() => service?.close());

const write = (text: string, values: unknown[] = []) =>
  store.transaction(transaction => transaction.query({ text, values }));
const asAdministrator = (text: string, values: unknown[] = []) =>
  asOwner(service.database.connection, client => client.query(text, values));
const day = 24 * 3600 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();

const matrix = async (): Promise<ControlMatrix> => (await member.client.get(base)).json;
const detail = async (citation: string): Promise<ControlDetail> =>
  (await member.client.get(`${base}/${citation}`)).json;
async function control(citation: string): Promise<Control> {
  const all = (await matrix()).sections.flatMap(({ controls }) => controls);
  return all.find(one => one.citation === citation)!;
}

/** What became of a check on the fixture's source, or another. */
const assess = (check: string, outcome: string, sourceId = fixture.sourceId, lookedAt = 'now()') =>
  write(
    `insert into check_assessments (source_id, scan_id, looked_at, check_id, outcome, reason)
      values ($1, $2, ${lookedAt}, $3, $4, case when $4 like 'not_%' then 'It lacks a privilege.' end)
      on conflict (organization_id, source_id, check_id) do update set outcome = excluded.outcome,
        reason = excluded.reason, looked_at = excluded.looked_at`,
    [sourceId, fixture.scanId, check, outcome],
  );

/** The check is that of a website that maps to transmission security; the finding is the fixture's. */
const check = 'tls.certificate_expired';
const encryption = '164.312(e)(2)(ii)';
const setFinding = (assignment: string) =>
  write(`update findings set category = $1, ${assignment} where id = $2`, [check, fixture.findingId]);

describe('the matrix', () => {
  it('has the whole rule, and knows nothing of a fresh organization', async () => {
    const other = await addPerson(service, await service.createOrganization(), 'member');
    const [organization] = (await other.client.session()).organizations;
    const { json } = await other.client.get(`/organizations/${organization!.id}/controls`);
    expect(json.totals).toEqual({ supported: 0, attention: 0, not_assessed: 65 });
    expect(json.sections.map((section: { citation: string }) => section.citation)).toEqual([
      '164.308',
      '164.310',
      '164.312',
      '164.314',
      '164.316',
    ]);
  });

  it('follows what checks saw: attention, supported, and not assessed where one could not look', async () => {
    await assess(check, 'observed');
    await setFinding(`severity = 'high', triage = null`);
    expect(await control(encryption)).toMatchObject({
      state: 'attention',
      open: 1,
      reasons: ['1 open finding of 1 check.', '1 check looked.'],
    });
    expect((await control('164.312(e)(1)')).state, 'its standard').toBe('attention');
    await setFinding(`severity = 'info'`);
    expect((await control(encryption)).state, 'information is no flaw').toBe('supported');
    await setFinding(`severity = 'high', triage = 'accepted', accepted_until = now() + interval '1 day'`);
    expect(await control(encryption)).toMatchObject({ state: 'supported', open: 0, accepted: 1 });
    await setFinding(`accepted_until = now() - interval '1 second'`);
    expect((await control(encryption)).state, 'an acceptance ends by its date').toBe('attention');
    await setFinding(`observed = false, triage = null, accepted_until = null`);
    expect((await control(encryption)).state).toBe('supported');
    await assess('tls.weak_cipher', 'not_assessed');
    expect((await control(encryption)).state).toBe('not_assessed');
    await assess('tls.weak_cipher', 'not_applicable');
    expect((await control(encryption)).state).toBe('supported');
    await assess(check, 'passed', fixture.sourceId, "now() - interval '91 days'");
    expect((await control(encryption)).state, 'outdated').toBe('not_assessed');
    await assess(check, 'passed');
  });

  it('counts sources that nothing has looked at, but neither drafts nor disconnected ones', async () => {
    const insert = await asAdministrator(
      `insert into sources (organization_id, system_id, name, kind, host, connection_mode, status)
        values ($1, $2, 'Second', 'website', 'b.example', 'direct', 'pending') returning id`,
      [fixture.organizationId, fixture.systemId],
    );
    const second = insert.rows[0].id;
    expect(await control(encryption)).toMatchObject({
      state: 'not_assessed',
      reasons: expect.arrayContaining(['1 source never looked at: scan.']),
    });
    await write(`update sources set status = 'disconnected' where id = $1`, [second]);
    expect((await control(encryption)).state).toBe('supported');
    await assess('tls.weak_cipher', 'not_assessed', second);
    expect((await control(encryption)).state, 'of a disconnected source').toBe('supported');
  });

  it('shows what is behind a control, by check, source and finding', async () => {
    await setFinding(`severity = 'high', observed = true, triage = null`);
    await assess('tls.weak_cipher', 'not_assessed');
    const { checks, sources, gaps, findings, control: one } = await detail(encryption);
    expect(one.state).toBe('attention');
    expect(checks.find(({ id }) => id === check)).toMatchObject({ assessed: 1, open: 1, accepted: 0 });
    expect(checks).toHaveLength(one.checks);
    expect(sources).toMatchObject([
      { id: fixture.sourceId, name: 'Front', kind: 'website', assessed: 1, not_assessed: 1, open: 1 },
    ]);
    expect(gaps).toMatchObject([
      { check: 'tls.weak_cipher', source_id: fixture.sourceId, reason: 'It lacks a privilege.' },
    ]);
    expect(findings).toMatchObject([{ id: fixture.findingId, status: 'open', source_name: 'Front' }]);
  });

  it('is fast with 100,000 open findings', { timeout: 120_000 }, async () => {
    const crowded = await createFixture(service);
    const person = await addPerson(service, crowded.organizationId, 'member');
    await asAdministrator(
      `insert into findings (organization_id, system_id, source_id, category, fingerprint, locator, severity, title,
          remediation, seen, hipaa)
        select $1, $2, $3, (array['tls.certificate_expired', 'headers.hsts_missing', 'csp.missing'])[1 + n % 3], n::text,
          'l', (array['critical', 'high', 'medium', 'low', 'info'])[1 + n % 5], 't', 'r', 's', true
        from generate_series(1, 100000) as n`,
      [crowded.organizationId, crowded.systemId, crowded.sourceId],
    );
    await asAdministrator('vacuum analyze findings');
    const path = `/organizations/${crowded.organizationId}/controls`;
    const timed = async (url: string) => {
      const begin = performance.now();
      expect((await person.client.get(url)).status).toBe(200);
      return performance.now() - begin;
    };
    await timed(path);
    expect(Math.min(await timed(path), await timed(path)), 'milliseconds').toBeLessThan(400);
    expect(await timed(`${path}/${encryption}`), 'milliseconds').toBeLessThan(800);
  });
});

describe('notes and attestations', () => {
  const workstations = '164.310(c)';
  const attest = (body: object, citation = workstations) =>
    admin.client.post(`${base}/${citation}/attestations`, body);
  const good = { statement: 'Screens lock after 5 minutes; see policy 7.', valid_until: inDays(365) };

  it('keeps every version of a note, by whom, and none where it was taken away', async () => {
    const note = (text: string | null) => admin.client.post(`${base}/${workstations}/note`, { note: text });
    expect((await note('First.')).json.note).toMatchObject({ note: 'First.', written_by: 'A admin' });
    await note('Second.');
    expect((await control(workstations)).has_note).toBe(true);
    expect((await note(null)).status).toBe(200);
    expect((await detail(workstations)).notes.map(one => one.note)).toEqual([null, 'Second.', 'First.']);
    expect((await control(workstations)).has_note).toBe(false);
  });

  it('supports a control by an attestation until its date, and asks for attention after', async () => {
    const { json, status } = await attest(good);
    expect(status).toBe(201);
    expect(json.attestation).toMatchObject({
      state: 'current',
      attested_by: 'A admin',
      ...{ statement: good.statement },
    });
    expect(await control(workstations)).toMatchObject({
      state: 'supported',
      reasons: ['An attestation holds.'],
    });
    await asAdministrator(
      `update control_attestations set attested_at = now() - interval '2 days', valid_until = now() - interval '1 day'
        where id = $1`,
      [json.attestation.id],
    );
    expect((await control(workstations)).state).toBe('attention');
    await attest({ ...good, statement: 'Renewed.' });
    expect((await control(workstations)).state).toBe('supported');
    expect((await detail(workstations)).attestations.map(({ state }) => state)).toEqual([
      'current',
      'superseded',
    ]);
  });

  it('lets the newest be withdrawn, once', async () => {
    const [newest, older] = (await detail(workstations)).attestations;
    const withdraw = (id: string, citation = workstations) =>
      admin.client.post(`${base}/${citation}/attestations/${id}/withdraw`, { reason: 'The policy changed.' });
    expect((await withdraw(older!.id)).json.error_code).toBe('attestation_not_newest');
    expect((await withdraw(newest!.id, '164.310(b)')).status, 'of another control').toBe(404);
    expect((await withdraw(newest!.id)).json.attestation).toMatchObject({
      state: 'withdrawn',
      withdrawn_by: 'A admin',
      withdrawal_reason: 'The policy changed.',
    });
    expect((await withdraw(newest!.id)).json.error_code).toBe('attestation_not_newest');
    expect(await control(workstations)).toMatchObject({ state: 'not_assessed', attested_until: null });
    await expect(
      asAdministrator(
        'update control_attestations set withdrawn_at = null, withdrawn_by = null, withdrawal_reason = null',
      ),
    ).rejects.toThrow(/final/);
    await expect(write("update control_attestations set statement = 'x'")).rejects.toThrow(/permission/);
  });

  it('keeps all of it, whoever is at the database', async () => {
    for (const change of [
      'delete from control_notes',
      `update control_notes set note = 'x'`,
      'truncate control_notes',
      'delete from control_attestations',
      'truncate control_attestations',
    ]) {
      await expect(asAdministrator(change), change).rejects.toThrow(/the record of controls is kept/);
    }
    await expect(write('delete from control_notes')).rejects.toThrow(/permission denied/);
  });

  it.each([
    ['a date that is over', inDays(-1)],
    ['a date too far away', inDays(367)],
  ])('refuses %s', async (_what, valid_until) => {
    expect((await attest({ ...good, valid_until })).json.error_code).toBe('attestation_out_of_range');
  });

  it('refuses what is no attestation, no control, and whoever only reads', async () => {
    expect((await attest({ statement: ' ', valid_until: 'soon' })).json.fields).toHaveLength(2);
    for (const valid_until of ['0000-01-01T00:00:00Z', '2026-12-31T23:59:60Z']) {
      const { status, json } = await attest({ ...good, valid_until });
      expect([status, json.fields], valid_until).toEqual([
        400,
        [expect.objectContaining({ path: 'valid_until' })],
      ]);
    }
    expect((await attest(good, '164.502(a)')).status, 'not of the Security Rule').toBe(404);
    expect((await member.client.post(`${base}/${workstations}/attestations`, good)).status).toBe(403);
    expect((await member.client.post(`${base}/${workstations}/note`, { note: 'x' })).status).toBe(403);
  });

  it('writes all of it into the audit log', async () => {
    const { rows } = await asAdministrator(
      `select action, count(*)::int from audit_entries where organization_id = $1 and object_kind = 'control'
        group by action order by action`,
      [fixture.organizationId],
    );
    expect(rows).toEqual([
      { action: 'control.attestation_withdrawn', count: 1 },
      { action: 'control.attested', count: 2 },
      { action: 'control.note_removed', count: 1 },
      { action: 'control.note_written', count: 2 },
    ]);
  });
});
