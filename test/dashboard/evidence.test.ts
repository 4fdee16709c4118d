import { createHash, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Evidence } from '../../src/contract/dashboard/evidence.ts';
import { evidenceLimits } from '../../src/contract/dashboard/evidence-limits.ts';
import { canonicalJson } from '../../src/domain/canonical-json.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { uploadHeaders } from '../support/dashboard-client.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let fixture: Fixture;
let admin: TestPerson;
let member: TestPerson;
let base: string;
beforeAll(async () => {
  service = await startService();
  fixture = await createFixture(service);
  admin = await addPerson(service, fixture.organizationId, 'admin');
  member = await addPerson(service, fixture.organizationId, 'member');
  base = `/organizations/${fixture.organizationId}/evidence`;
});
afterAll(() => service?.close());

const asAdministrator = (text: string, values: unknown[] = []) =>
  asOwner(service.database.connection, client => client.query(text, values));
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const pdf = (bytes: number) =>
  Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(bytes - 15), Buffer.from('\n%%EOF')]);

/** Sends the bytes as a browser does, and returns the response. */
function upload(name: string, content: Buffer, { client } = admin, headers: Record<string, string> = {}) {
  return fetch(`${client.url}/dashboard/api${base}/files?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { ...uploadHeaders(client), ...headers },
    body: new Uint8Array(content),
  });
}

async function uploaded(name: string, content: Buffer): Promise<Evidence> {
  const answer = await upload(name, content);
  expect(answer.status, name).toBe(201);
  return ((await answer.json()) as { evidence: Evidence }).evidence;
}

const download = (id: string, { client } = member) =>
  fetch(`${client.url}/dashboard/api${base}/${id}/content`, { headers: { cookie: client.cookie! } });
const list = async (
  query = '',
): Promise<{ evidence: Evidence[]; next_cursor: string | null; usage: object }> =>
  (await member.client.get(`${base}${query}`)).json;
const errorOf = async (answer: Response) => {
  const { error_code, error } = (await answer.json()) as { error_code?: string; error: string };
  return error_code ?? error;
};

describe('an uploaded file', () => {
  it('is downloaded unchanged, to be saved and never displayed, with its hash', async () => {
    const content = pdf(700_000);
    const evidence = await uploaded('Überprüfung "Q4".pdf'.replaceAll('"', '_'), content);
    expect(evidence).toMatchObject({
      kind: 'file',
      media_type: 'application/pdf',
      bytes: 700_000,
      sha256: sha256(content),
      created_by: 'A admin',
    });
    const years =
      new Date(evidence.retained_until).getFullYear() - new Date(evidence.created_at).getUTCFullYear();
    expect(years).toBe(evidenceLimits.retentionYears);
    const answer = await download(evidence.id);
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '700000',
      'content-disposition': `attachment; filename="_berpr_fung _Q4_.pdf"; filename*=UTF-8''%C3%9Cberpr%C3%BCfung%20_Q4_.pdf`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'repr-digest': `sha-256=:${createHash('sha256').update(content).digest('base64')}:`,
    });
    expect((await list()).evidence[0]).toEqual(evidence);
    const { rows } = await asAdministrator(
      `select actor_id, detail from ${recordedEntries} where object_id = $1 and action = 'evidence.downloaded'`,
      [evidence.id],
    );
    const { name } = evidence;
    expect(rows, 'in the log').toEqual([{ actor_id: member.id, detail: { name, sha256: sha256(content) } }]);
  });

  it('is stored encrypted in the database', async () => {
    const secret = 'the very words of a policy that is confidential';
    const { id } = await uploaded('policy.txt', Buffer.from(secret.repeat(20)));
    const { rows } = await asAdministrator(
      'select ciphertext from evidence_pieces where evidence_id = $1 order by number',
      [id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].ciphertext.includes('very words')).toBe(false);
    expect(service.log.join()).not.toContain('very words');
  });

  it.each([
    [
      'a type that is not supported',
      'page.html',
      Buffer.from('<script>alert(1)</script>'),
      'file_type_refused',
    ],
    ['a type that does not match its name', 'a.png', pdf(1000), 'file_type_refused'],
    ['nothing', 'a.txt', Buffer.alloc(0), 'file_type_refused'],
    ['a path as its name', '../a.txt', Buffer.from('a'), 'invalid_query'],
    ['a name with bidirectional control characters', 'a\u202etxt.pdf', pdf(1000), 'invalid_query'],
  ])('is refused for %s', async (_what, name, content, code) => {
    const answer = await upload(name, content);
    expect(answer.status).toBe(400);
    expect(await errorOf(answer)).toBe(code);
  });

  it('can be 10 MiB, and not a byte more', { timeout: 60_000 }, async () => {
    const whole = pdf(evidenceLimits.itemBytes);
    const evidence = await uploaded('large.pdf', whole);
    const answer = await download(evidence.id);
    expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(sha256(whole));
    const tooLarge = await upload('larger.pdf', pdf(evidenceLimits.itemBytes + 1)).catch(() => undefined);
    // A client that is still sending may get a closed connection instead of the response.
    expect(tooLarge?.status ?? 413).toBe(413);
    expect((await list('?limit=1')).evidence[0]!.name).toBe('large.pdf');
  });

  it('is accepted as bytes only, from an admin of this organization with a token of the session', async () => {
    const content = Buffer.from('text');
    expect((await upload('a.txt', content, admin, { 'content-type': 'application/json' })).status).toBe(400);
    expect((await upload('a.txt', content, admin, { 'x-csrf-token': 'x' })).status).toBe(403);
    expect((await upload('a.txt', content, member)).status).toBe(403);
    const stranger = await addPerson(service, await service.createOrganization(), 'owner');
    expect((await upload('a.txt', content, stranger)).status).toBe(404);
    const { id } = await uploaded('a.txt', content);
    expect((await download(id, stranger)).status).toBe(404);
  });

  it.each([
    [
      'a byte of the second piece',
      200,
      `set ciphertext = set_byte(ciphertext, 40, get_byte(ciphertext, 40) # 1)
      where evidence_id = $1 and number = 1`,
    ],
    [
      'two swapped pieces',
      500,
      `set ciphertext = (select ciphertext from evidence_pieces o
      where o.evidence_id = $1 and o.number = 1 - p.number) where evidence_id = $1`,
    ],
  ])('is not returned, or breaks off, after a change to %s', async (_what, status, change) => {
    const { id } = await uploaded('a.pdf', pdf(500_000));
    await withoutTriggers(`update evidence_pieces p ${change}`, [id]);
    const answer = await download(id);
    expect(answer.status).toBe(status);
    if (status === 200) await expect(answer.arrayBuffer()).rejects.toThrow();
    else expect(await answer.json()).toEqual({ error: 'Request failed' });
  });
});

describe('a download', () => {
  it('answers HEAD with the headers of GET, without reading the content', async () => {
    const { id } = await uploaded('a.pdf', pdf(500_000));
    const headersOf = ({ headers }: Response) =>
      ['content-length', 'content-type', 'content-disposition', 'repr-digest'].map(name => headers.get(name));
    const whole = await download(id);
    await whole.arrayBuffer();
    await withoutTriggers(`update evidence_pieces set ciphertext = '' where evidence_id = $1`, [id]);
    const answer = await fetch(whole.url, { method: 'HEAD', headers: { cookie: member.client.cookie! } });
    expect([answer.status, headersOf(answer)]).toEqual([200, headersOf(whole)]);
    expect((await download(id)).status, 'what is read').toBe(500);
  });

  it('ends with its client, and is limited in number for an organization', { timeout: 60_000 }, async () => {
    const { id } = await uploaded('large.pdf', pdf(evidenceLimits.itemBytes));
    const begin = (signal: AbortSignal) =>
      fetch(`${member.client.url}/dashboard/api${base}/${id}/content`, {
        headers: { cookie: member.client.cookie! },
        signal,
      });
    // The second attempt has room only if nothing is left of the first one.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const gone = new AbortController();
      const held = await Promise.all(Array.from({ length: 4 }, () => begin(gone.signal)));
      expect(held.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const waiting = Array.from({ length: 3 }, () => begin(gone.signal));
      const refused = await Promise.race(waiting);
      expect([refused.status, await errorOf(refused)]).toEqual([429, 'too_many_downloads']);
      gone.abort();
      await Promise.allSettled(waiting);
    }
  });
});

it('is refused to a person who was removed while the download waited for others', async () => {
  const { id } = await uploaded('large.pdf', pdf(evidenceLimits.itemBytes));
  const leaving = await addPerson(service, fixture.organizationId, 'member');
  const owner = await addPerson(service, fixture.organizationId, 'owner');
  const held = await Promise.all(Array.from({ length: 4 }, () => download(id)));
  await asAdministrator(
    "update sessions set last_seen_at = now() - interval '2 minutes' where person_id = $1",
    [leaving.id],
  );
  const waiting = download(id, leaving);
  await poll('its admission', async () => {
    const { rows } = await asAdministrator(
      "select from sessions where person_id = $1 and last_seen_at > now() - interval '1 minute'",
      [leaving.id],
    );
    return rows.length > 0 || undefined;
  });
  const people = `/organizations/${fixture.organizationId}/people`;
  expect((await owner.client.delete(`${people}/${leaving.id}`)).status).toBe(200);
  // Longer than an admission is valid.
  await setTimeout(1_200);
  await Promise.all(held.map(answer => answer.body!.cancel()));
  expect((await waiting).status).toBe(404);
});

/** As a database administrator who disables the triggers. */
async function withoutTriggers(text: string, values: unknown[]): Promise<void> {
  await asOwner(service.database.connection, async client => {
    await client.query('set session_replication_role = replica');
    await client.query(text, values);
  });
}

describe('retention', () => {
  const store = () => service.storage.tenant(fixture.organizationId, { kind: 'service', id: 'test' });
  const aged = async (years: string): Promise<string> => {
    const { id } = await uploaded('old.txt', Buffer.from('old'));
    await withoutTriggers(`update evidence set created_at = now() - interval '${years}' where id = $1`, [id]);
    return id;
  };

  it('cannot be deleted before six years: not by an admin, the service, or the owner of the tables', async () => {
    const id = await aged('5 years 364 days');
    const answer = await admin.client.delete(`${base}/${id}`);
    expect([answer.status, answer.json.error_code]).toEqual([400, 'evidence_retained']);
    const byService = store().transaction(transaction => transaction.query({ text: 'delete from evidence' }));
    await expect(byService).rejects.toThrow(/six years/);
    await expect(asAdministrator('delete from evidence where id = $1', [id])).rejects.toThrow(/six years/);
    await expect(asAdministrator('delete from evidence_pieces')).rejects.toThrow(/does not change/);
    await expect(asAdministrator('truncate evidence cascade')).rejects.toThrow(/six years/);
    expect((await download(id)).status).toBe(200);
  });

  it('cannot be changed', async () => {
    for (const change of ["name = 'x'", "created_at = now() - interval '7 years'", "sha256 = sha256('x')"]) {
      await expect(asAdministrator(`update evidence set ${change}`), change).rejects.toThrow(
        /does not change/,
      );
      const byService = store().transaction(transaction =>
        transaction.query({ text: `update evidence set ${change}` }),
      );
      await expect(byService, change).rejects.toThrow(/permission denied/);
    }
    await expect(asAdministrator("update evidence_pieces set ciphertext = ''")).rejects.toThrow(
      /does not change/,
    );
  });

  it('can be deleted by an admin after six years, including its pieces, with an audit entry', async () => {
    const id = await aged('6 years 1 day');
    expect((await member.client.delete(`${base}/${id}`)).status).toBe(403);
    expect((await admin.client.delete(`${base}/${id}`)).status).toBe(200);
    expect((await admin.client.delete(`${base}/${id}`)).status).toBe(404);
    const left = await asAdministrator('select from evidence_pieces where evidence_id = $1', [id]);
    expect(left.rows).toEqual([]);
    const { rows } = await asAdministrator(
      `select actor_id, action, detail from ${recordedEntries} where object_id = $1`,
      [id],
    );
    expect(rows).toMatchObject([
      { action: 'evidence.uploaded' },
      { action: 'evidence.deleted', actor_id: admin.id, detail: { name: 'old.txt' } },
    ]);
  });

  it('respects the organization’s limits, even for simultaneous uploads', async () => {
    const full = await service.createOrganization();
    const owner = await addPerson(service, full, 'owner');
    await asAdministrator(
      `insert into evidence (organization_id, kind, name, media_type, bytes, sha256, created_by, master_key_id, wrapped_key)
        select $1, 'file', 'a.txt', 'text/plain', $2, sha256('a'), $3, 'k', '' from generate_series(1, $4::int)`,
      [full, evidenceLimits.bytes / 256, owner.id, 255],
    );
    const room = evidenceLimits.bytes / 256;
    const path = `${owner.client.url}/dashboard/api/organizations/${full}/evidence/files?name=a.pdf`;
    const send = (bytes: number) =>
      fetch(path, {
        method: 'POST',
        headers: uploadHeaders(owner.client),
        body: new Uint8Array(pdf(bytes)),
      });
    const answers = await Promise.all([send(room - 1000), send(room - 1000)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
    const refused = answers.find(({ status }) => status === 400)!;
    expect(await errorOf(refused)).toBe('evidence_full');
  });
});

describe('a snapshot', () => {
  const take = (body: object) => admin.client.post(`${base}/snapshots`, body);
  const contentOf = async ({ id }: Evidence) => {
    const bytes = Buffer.from(await (await download(id)).arrayBuffer());
    return { bytes, json: JSON.parse(bytes.toString()) };
  };

  it('of the controls has the state of each, in canonical form', async () => {
    await admin.client.post(`/organizations/${fixture.organizationId}/controls/164.310(b)/attestations`, {
      statement: 'See policy 3.',
      valid_until: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const { status, json } = await take({ kind: 'controls' });
    expect(status).toBe(201);
    const { bytes, json: document } = await contentOf(json.evidence);
    expect(sha256(bytes)).toBe(json.evidence.sha256);
    expect(bytes.toString()).toBe(canonicalJson(document));
    expect(document).toMatchObject({
      format: 'parapet-controls-snapshot-2',
      organization: { id: fixture.organizationId, name: 'Test' },
      totals: { supported: 0, attested: 1 },
      sources: [{ id: fixture.sourceId, kind: 'website' }],
    });
    expect(document.controls).toHaveLength(65);
    expect(
      document.controls.find((one: { citation: string }) => one.citation === '164.310(b)'),
    ).toMatchObject({
      state: 'attested',
      attestation: { statement: 'See policy 3.', attested_by: 'A admin', evidence: [] },
    });
    expect(json.evidence.name).toMatch(/^controls-[\dT-]{19}Z\.json$/);
  });

  it('of a scan has its runs, its sources and the unresolved findings there', async () => {
    expect((await take({ kind: 'scan', scan_id: fixture.scanId })).json.error_code).toBe('scan_not_finished');
    await asAdministrator(
      `update scans set status = 'completed', verdict = 'fail', started_at = now(), finished_at = now() where id = $1`,
      [fixture.scanId],
    );
    const { json } = await take({ kind: 'scan', scan_id: fixture.scanId });
    const { json: document } = await contentOf(json.evidence);
    expect(document).toMatchObject({
      format: 'parapet-scan-snapshot-1',
      scan: { id: fixture.scanId, verdict: 'fail', runs: [] },
      sources: [{ id: fixture.sourceId, host: 'shop.example' }],
      findings: [{ id: fixture.findingId, severity: 'high', status: 'open' }],
      findings_total: 1,
    });
    expect(json.evidence.scan_id).toBe(fixture.scanId);
  });

  it('is refused to members, for scans of others, and for invalid targets', async () => {
    const other = await createFixture(service);
    expect((await take({ kind: 'scan', scan_id: other.scanId })).status).toBe(404);
    expect((await take({ kind: 'everything' })).status).toBe(400);
    expect((await take({ kind: 'scan' })).status).toBe(400);
    expect((await member.client.post(`${base}/snapshots`, { kind: 'controls' })).status).toBe(403);
  });
});

it('is listed in pages, by kind, with the space used', async () => {
  const first = await list('?limit=2');
  expect(first.evidence).toHaveLength(2);
  const second = await list(`?limit=2&cursor=${first.next_cursor}`);
  expect(first.evidence.map(({ id }) => id)).not.toContain(second.evidence[0]!.id);
  expect((await list('?kind=scan')).evidence.map(({ kind }) => kind)).toEqual(['scan']);
  const { rows } = await asAdministrator(
    'select sum(bytes)::int as bytes, count(*)::int as items from evidence where organization_id = $1',
    [fixture.organizationId],
  );
  expect(first.usage).toEqual({
    ...rows[0],
    bytes_limit: evidenceLimits.bytes,
    items_limit: evidenceLimits.items,
  });
  expect((await member.client.get(`${base}?kind=all`)).status).toBe(400);
});
