import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Control } from '../../src/contract/dashboard/controls.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let fixture: Fixture;
let admin: TestPerson;
let path: string;
beforeAll(async () => {
  service = await startService();
  fixture = await createFixture(service);
  admin = await addPerson(service, fixture.organizationId, 'admin');
  path = `/organizations/${fixture.organizationId}`;
});
afterAll(() => service?.close());

const sql = (text: string, values: unknown[] = []) =>
  asOwner(service.database.connection, client => client.query(text, values));
/** Evidence gets old within a test only without the database's own triggers. */
const bend = (text: string, values: unknown[]) =>
  asOwner(service.database.connection, async client => {
    await client.query('set session_replication_role = replica');
    await client.query(text, values);
  });
const agingOut = `update evidence set created_at = now() - interval '6 years 1 day' where id = $1`;

async function upload(name = 'policy 7.txt', person = admin, base = path): Promise<string> {
  const url = `${base}/evidence/files?name=${encodeURIComponent(name)}`;
  const { json } = await person.client.request('POST', url, name, {
    'content-type': 'application/octet-stream',
  });
  return json.evidence.id;
}
async function attest(control: string, evidence_ids?: readonly string[]) {
  return admin.client.post(`${path}/controls/${control}/attestations`, {
    statement: 'Screens lock after five minutes.',
    valid_until: new Date(Date.now() + 3_600_000).toISOString(),
    ...(evidence_ids ? { evidence_ids } : {}),
  });
}
const link = (control: string, id: string, evidence_ids: readonly string[]) =>
  admin.client.post(`${path}/controls/${control}/attestations/${id}/evidence`, { evidence_ids });
async function stateOf(citation: string): Promise<Control['state']> {
  return (await admin.client.get(`${path}/controls/${citation}`)).json.control.state;
}

it('supports a control once its attestation has evidence', async () => {
  const control = '164.310(c)';
  const attested = await attest(control);
  expect(attested.json.attestation).toMatchObject({ state: 'current', evidence: [] });
  expect(await stateOf(control)).toBe('attested');
  const file = await upload();
  const linked = await link(control, attested.json.attestation.id, [file]);
  expect(linked.json.attestation.evidence).toEqual([
    {
      id: file,
      name: 'policy 7.txt',
      kind: 'file',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      linked_at: expect.any(String),
      verdict: null,
    },
  ]);
  expect(await stateOf(control)).toBe('supported');
  // Repeating it changes nothing.
  expect((await link(control, attested.json.attestation.id, [file])).json.attestation.evidence).toHaveLength(
    1,
  );
  // A newer attestation does not inherit evidence.
  await attest(control);
  expect(await stateOf(control)).toBe('attested');
  expect((await link(control, attested.json.attestation.id, [file])).json.error_code).toBe(
    'attestation_not_current',
  );
});

it('is not supported by a scan alone, whatever its result', async () => {
  const control = '164.310(a)(2)(i)';
  await sql("update scans set status = 'completed', finished_at = now(), verdict = 'pass' where id = $1", [
    fixture.scanId,
  ]);
  const snapshot = await admin.client.post(`${path}/evidence/snapshots`, {
    kind: 'scan',
    scan_id: fixture.scanId,
  });
  expect(snapshot.status, snapshot.text).toBe(201);
  const { json } = await attest(control, [snapshot.json.evidence.id]);
  expect(json.attestation.evidence).toMatchObject([{ kind: 'scan', verdict: 'pass' }]);
  expect((await admin.client.get(`${path}/controls/${control}`)).json.control).toMatchObject({
    state: 'attested',
    reasons: ['Attested with scans only, which prove no safeguard. Link a document as evidence.'],
  });
});

it('does not let anyone attest that a control with general application does not apply', async () => {
  const control = '164.308(a)(1)(ii)(A)';
  const answer = await admin.client.post(`${path}/controls/${control}/attestations`, {
    statement: 'We have no risks.',
    applies: false,
    valid_until: new Date(Date.now() + 3_600_000).toISOString(),
  });
  expect([answer.status, answer.json.fields]).toEqual([
    400,
    [{ path: 'applies', message: 'must be true: this control applies to every organization' }],
  ]);
  expect(await stateOf(control)).toBe('not_assessed');
});

it('does not show a control that does not apply as supported', async () => {
  const control = '164.308(a)(4)(ii)(A)';
  const attested = await admin.client.post(`${path}/controls/${control}/attestations`, {
    statement: 'We are no clearinghouse, and no part of one.',
    applies: false,
    valid_until: new Date(Date.now() + 3_600_000).toISOString(),
    evidence_ids: [await upload()],
  });
  expect([attested.status, attested.json.attestation.applies]).toEqual([201, false]);
  const { json } = await admin.client.get(`${path}/controls`);
  expect(json.totals.not_applicable).toBe(1);
  expect(await stateOf(control)).toBe('not_applicable');
  const { rows } = await sql(
    `select detail->>'applies' as applies from ${recordedEntries} where action = 'control.attested' and object_id = $1`,
    [control],
  );
  expect(rows).toEqual([{ applies: 'false' }]);
});

it('accepts evidence with the attestation, and adds each link to the audit log', async () => {
  const control = '164.310(b)';
  const files = [await upload('a.txt'), await upload('b.txt')];
  const { status, json } = await attest(control, files);
  expect(status).toBe(201);
  expect(json.attestation.evidence.map(({ id }: { id: string }) => id)).toEqual(files);
  expect(await stateOf(control)).toBe('supported');
  const { rows } = await sql(
    `select detail from ${recordedEntries} where action = 'control.evidence_linked' and object_id = $1`,
    [control],
  );
  expect(rows).toEqual([
    {
      detail: {
        attestation_id: json.attestation.id,
        evidence: expect.arrayContaining([expect.objectContaining({ id: files[0], name: 'a.txt' })]),
      },
    },
  ]);
});

it('does not count evidence that is no longer kept', async () => {
  const control = '164.308(a)(2)';
  const file = await upload();
  const { json } = await attest(control, [file]);
  await bend(agingOut, [file]);
  expect(await stateOf(control), 'past its retention').toBe('attested');
  expect((await link(control, json.attestation.id, [file])).status).toBe(404);
  const second = await upload();
  await link(control, json.attestation.id, [second]);
  expect(await stateOf(control)).toBe('supported');
  await bend(agingOut, [second]);
  for (const id of [file, second]) {
    expect((await admin.client.request('DELETE', `${path}/evidence/${id}`)).status).toBe(200);
  }
  expect(await stateOf(control), 'deleted').toBe('attested');
  const { rows } = await sql('select from attestation_evidence where attestation_id = $1', [
    json.attestation.id,
  ]);
  expect(rows).toHaveLength(0);
});

it('refuses evidence of others, missing evidence, and snapshots of the controls', async () => {
  const control = '164.310(d)(1)';
  const other = await addPerson(service, await service.createOrganization(), 'owner');
  const [theirs] = (await other.client.session()).organizations;
  const foreign = await upload('theirs.txt', other, `/organizations/${theirs!.id}`);
  const snapshot = await admin.client.post(`${path}/evidence/snapshots`, { kind: 'controls' });
  for (const id of [foreign, randomUUID(), snapshot.json.evidence.id]) {
    const refused = await attest(control, [await upload(), id]);
    expect([refused.status, refused.json.fields]).toEqual([
      404,
      [{ path: 'evidence_ids.1', message: 'is not evidence that can be linked' }],
    ]);
  }
  expect(await stateOf(control), 'nothing was attested').toBe('not_assessed');
});

it('limits the evidence of one attestation', async () => {
  const control = '164.310(d)(2)(i)';
  const { json } = await attest(control);
  await sql(
    `with made as (insert into evidence (organization_id, kind, name, media_type, bytes, sha256, created_by, master_key_id,
          wrapped_key)
        select $1, 'file', n || '.txt', 'text/plain', 1, sha256('a'), $2, 'k', 'k' from generate_series(1, 99) as n returning id)
      insert into attestation_evidence (organization_id, attestation_id, evidence_id, linked_by) select $1, $3, id, $2 from made`,
    [fixture.organizationId, admin.id, json.attestation.id],
  );
  expect((await link(control, json.attestation.id, [await upload()])).status).toBe(200);
  expect((await link(control, json.attestation.id, [await upload()])).json.error_code).toBe(
    'too_much_evidence',
  );
});

it('keeps every link as long as its evidence, even from the database’s owner', async () => {
  for (const change of [
    'delete from attestation_evidence',
    `update attestation_evidence set linked_at = now()`,
    'truncate attestation_evidence',
  ]) {
    await expect(sql(change), change).rejects.toThrow(/the record of controls is kept/);
  }
  const store = service.storage.tenant(fixture.organizationId, { kind: 'service', id: 'test' });
  await expect(
    store.transaction(transaction => transaction.query({ text: 'delete from attestation_evidence' })),
  ).rejects.toThrow(/permission denied/);
});
