import { beforeAll, describe, expect, it } from 'vitest';
import type { Control, ControlDetail, ControlMatrix } from '../../src/contract/dashboard/controls.ts';
import type { TenantStore } from '../../src/database/tenant-store.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { storeAssessments } from '../support/assessments.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
let fixture: Fixture;
let admin: TestPerson;
let member: TestPerson;
let base: string;
let store: TenantStore;
beforeAll(async () => {
  service = await sharedService();
  fixture = await createFixture(service);
  admin = await addPerson(service, fixture.organizationId, 'admin');
  member = await addPerson(service, fixture.organizationId, 'member');
  base = `/organizations/${fixture.organizationId}/controls`;
  store = service.storage.tenant(fixture.organizationId, { kind: 'service', id: 'test' });
});

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

/** Stores the result of a check on the fixture's source, or another. */
const assess = (check: string, outcome: string, sourceId = fixture.sourceId, lookedAt = 'now()') =>
  write(
    storeAssessments(`select organization_id, id as source_id, $2::uuid as scan_id, ${lookedAt} as looked_at, $3 as check_id,
        $4 as outcome, case when $4 like 'not_%' then 'It lacks a privilege.' end as reason
      from sources where id = $1`),
    [sourceId, fixture.scanId, check, outcome],
  );

/** One of the checks that show a website's encryption; the fixture's finding is of this check. */
const check = 'tls.certificate_expired';
/** The other checks that show a website's encryption. */
const others = [
  'tls.certificate_not_yet_valid',
  'tls.name_mismatch',
  'tls.certificate_untrusted',
  'tls.legacy_protocol',
  'transport.no_https',
  'transport.no_redirect',
];
const encryption = '164.312(e)(2)(ii)';
/** All checks that show the safeguard pass, and all other checks of the control have run. */
const showEncryption = async (sourceId = fixture.sourceId) => {
  const { checks } = await detail(encryption);
  const ofWebsites = checks.filter(({ id }) => !/^(postgres|mysql|redis|supabase)\./.test(id));
  for (const { id } of ofWebsites) await assess(id, 'not_applicable', sourceId);
  for (const id of [check, ...others]) await assess(id, 'passed', sourceId);
};
const setFinding = (assignment: string) =>
  write(`update findings set category = $1, ${assignment} where id = $2`, [check, fixture.findingId]);

describe('the matrix', () => {
  it('has the whole rule, and assesses nothing for a new organization', async () => {
    const other = await addPerson(service, await service.createOrganization(), 'member');
    const [organization] = (await other.client.session()).organizations;
    const { json } = await other.client.get(`/organizations/${organization!.id}/controls`);
    const none = { supported: 0, attention: 0, attested: 0, not_applicable: 0 };
    expect(json.totals).toEqual({ ...none, not_assessed: 65 });
    expect(json.sections.map((section: { citation: string }) => section.citation)).toEqual([
      '164.308',
      '164.310',
      '164.312',
      '164.314',
      '164.316',
    ]);
  });

  it('is not supported by a check that found no problem, nor by only some of those that show the safeguard', async () => {
    await setFinding(`observed = false, triage = null`);
    await assess('csp.missing', 'passed');
    expect(await control('164.312(c)(1)')).toMatchObject({
      state: 'not_assessed',
      showing: 0,
      reasons: expect.arrayContaining(['1 check found no problem.']),
    });
    await assess(check, 'passed');
    expect(await control(encryption)).toMatchObject({
      state: 'not_assessed',
      reasons: expect.arrayContaining(['6 checks did not pass on every source.']),
    });
  });

  it('follows the results of checks: attention, supported if all of them showed it, and not assessed otherwise', async () => {
    await showEncryption();
    expect(await control(encryption)).toMatchObject({
      state: 'supported',
      reasons: ['Shown by 7 checks on the only source in scope.'],
    });
    await assess(check, 'observed');
    await setFinding(`severity = 'high', observed = true, triage = null`);
    expect(await control(encryption)).toMatchObject({
      state: 'attention',
      open: 1,
      reasons: ['1 open finding from 1 check.', '6 checks found no problem.'],
    });
    expect((await control('164.312(e)(1)')).state, 'its standard').toBe('attention');
    await setFinding(`severity = 'info'`);
    // Findings with severity info are not problems, and an observation is not a pass.
    expect((await control(encryption)).state).toBe('not_assessed');
    await setFinding(`severity = 'high', triage = 'accepted', accepted_until = now() + interval '1 day'`);
    // An accepted risk means that the safeguard is missing, so it supports nothing.
    expect(await control(encryption)).toMatchObject({ state: 'not_assessed', open: 0, accepted: 1 });
    await setFinding(`accepted_until = now() - interval '1 second'`);
    expect((await control(encryption)).state, 'an acceptance ends by its date').toBe('attention');
    await setFinding(`observed = false, triage = null, accepted_until = null`);
    await assess(check, 'passed');
    expect((await control(encryption)).state).toBe('supported');
    await assess(check, 'not_applicable');
    expect((await control(encryption)).state, 'a check that does not apply shows nothing').toBe(
      'not_assessed',
    );
    await assess(check, 'passed');
    await assess('tls.weak_cipher', 'not_assessed');
    expect((await control(encryption)).state).toBe('not_assessed');
    await assess('tls.weak_cipher', 'not_applicable');
    expect((await control(encryption)).state).toBe('supported');
    await assess(check, 'passed', fixture.sourceId, "now() - interval '91 days'");
    expect((await control(encryption)).state, 'outdated').toBe('not_assessed');
    await assess(check, 'passed');
  });

  it('counts sources that were never scanned, but neither drafts nor disconnected ones', async () => {
    const insert = await asAdministrator(
      `insert into sources (organization_id, system_id, name, kind, host, connection_mode, status)
        values ($1, $2, 'Second', 'website', 'b.example', 'direct', 'pending') returning id`,
      [fixture.organizationId, fixture.systemId],
    );
    const second = insert.rows[0].id;
    expect(await control(encryption)).toMatchObject({
      state: 'not_assessed',
      reasons: expect.arrayContaining(['1 source never scanned. Run a scan.']),
    });
    await write(`update sources set status = 'disconnected' where id = $1`, [second]);
    expect((await control(encryption)).state).toBe('supported');
    await assess('tls.weak_cipher', 'not_assessed', second);
    expect((await control(encryption)).state, 'of a disconnected source').toBe('supported');
    await assess('tls.weak_cipher', 'not_applicable', second);
    await asAdministrator(`update sources set status = 'pending', kind = 'supabase' where id = $1`, [second]);
    expect(await control(encryption)).toMatchObject({
      state: 'not_assessed',
      reasons: [
        'No check can show this safeguard on these kinds of sources: Supabase.',
        '7 checks found no problem.',
      ],
    });
    await asAdministrator(`update sources set status = 'disconnected' where id = $1`, [second]);
  });

  it('shows the details of a control by check, source and finding', async () => {
    await setFinding(`severity = 'high', observed = true, triage = null`);
    await assess('tls.weak_cipher', 'not_assessed');
    const { checks, passes, sources, gaps, findings, control: one } = await detail(encryption);
    expect(one.state).toBe('attention');
    expect(checks.find(({ id }) => id === check)).toMatchObject({
      effect: 'shows',
      reason: expect.stringContaining('clients can verify the key'),
      assessed: 1,
      open: 1,
      accepted: 0,
    });
    expect(passes.map(pass => pass.check)).toEqual([check, ...others].sort());
    expect(passes[0]).toMatchObject({ source_name: 'Front', passed_at: expect.any(String) });
    expect(checks).toHaveLength(one.checks);
    expect(sources).toMatchObject([
      { id: fixture.sourceId, name: 'Front', kind: 'website', assessed: 7, not_assessed: 1, open: 1 },
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

  it('keeps every version of a note with its author, and shows none after its removal', async () => {
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
      state: 'attested',
      reasons: ['Attested without evidence. Link evidence to support this control.'],
    });
    await asAdministrator(
      `update control_attestations set attested_at = now() - interval '2 days', valid_until = now() - interval '1 day'
        where id = $1`,
      [json.attestation.id],
    );
    expect((await control(workstations)).state).toBe('attention');
    await attest({ ...good, statement: 'Renewed.' });
    expect((await control(workstations)).state).toBe('attested');
    expect((await detail(workstations)).attestations.map(({ state }) => state)).toEqual([
      'current',
      'superseded',
    ]);
  });

  it('allows withdrawing the newest only, once', async () => {
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

  it('keeps all versions, even from the database’s owner', async () => {
    for (const change of [
      'delete from control_notes',
      `update control_notes set note = 'x'`,
      'truncate control_notes',
      'delete from control_attestations',
      'truncate control_attestations cascade',
    ]) {
      await expect(asAdministrator(change), change).rejects.toThrow(/the record of controls is kept/);
    }
    await expect(write('delete from control_notes')).rejects.toThrow(/permission denied/);
  });

  it.each([
    ['a past date', inDays(-1)],
    ['a date too far away', inDays(367)],
  ])('refuses %s', async (_what, valid_until) => {
    expect((await attest({ ...good, valid_until })).json.error_code).toBe('attestation_out_of_range');
  });

  it('refuses an empty attestation, an unknown control, and members without permission', async () => {
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

  it('records all changes in the audit log', async () => {
    const { rows } = await asAdministrator(
      `select action, count(*)::int from ${recordedEntries} where organization_id = $1 and object_kind = 'control'
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
