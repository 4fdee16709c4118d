import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../src/contract/dashboard/audit.ts';
import { auditActions } from '../../src/contract/dashboard/audit-actions.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner, pastTriggers } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let fixture: Fixture;
let admin: TestPerson;
let base: string;
beforeAll(async () => {
  service = await startService();
  fixture = await createFixture(service);
  admin = await addPerson(service, fixture.organizationId, 'admin');
  base = `/organizations/${fixture.organizationId}/audit`;
  await admin.client.post(`/organizations/${fixture.organizationId}/controls/164.310(b)/note`, {
    note: '=HYPERLINK("http://evil.example")',
  });
});
afterAll(() => service?.close());

const asAdministrator = (text: string, values: unknown[] = []) =>
  asOwner(service.database.connection, client => client.query(text, values));
const list = async (query = ''): Promise<{ entries: AuditEntry[]; next_cursor: string | null }> => {
  const answer = await admin.client.get(`${base}${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};

describe('the list', () => {
  it('shows who did what, to which object, when and from where, newest first', async () => {
    const { entries } = await list();
    expect(entries.map(({ sequence }) => sequence)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    expect(entries[0]).toMatchObject({
      actor: { kind: 'person', id: admin.id, name: 'A admin' },
      action: 'control.note_written',
      object: { kind: 'control', id: '164.310(b)', name: null },
      address: '127.0.0.1',
    });
    const created = entries.find(({ action }) => action === 'source.created');
    expect(created).toMatchObject({
      actor: { kind: 'key', id: fixture.key.token_id },
      object: { kind: 'source', id: fixture.sourceId, name: 'Front' },
    });
    expect(entries.at(-1)).toMatchObject({
      actor: { kind: 'operator' },
      object: { kind: 'organization', name: 'Test' },
    });
  });

  it('pages through each entry once', async () => {
    const seen: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list(`?limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.entries.map(({ sequence }) => sequence));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    const { next_cursor } = await list('?limit=3');
    const other = await admin.client.get(`${base}?limit=3&actor_kind=key&cursor=${next_cursor}`);
    expect(other.json.error_code, 'the cursor of other filters').toBe('invalid_cursor');
  });

  it.each([
    ['actor_kind=operator', ['key.minted', 'organization.created']],
    ['actor_kind=person', ['control.note_written']],
    ['action=source.created', ['source.created']],
    ['object_kind=control&object_id=164.310(b)', ['control.note_written']],
    ['until=2020-01-01', []],
  ])('filters by %s', async (query, actions) => {
    expect((await list(`?${query}`)).entries.map(({ action }) => action)).toEqual(actions);
  });

  it('treats days as whole days in UTC', async () => {
    const today = new Date().toISOString().slice(0, 10);
    expect((await list(`?from=${today}&until=${today}`)).entries).toHaveLength(8);
    for (const query of [
      'from=2026-02-31',
      'from=0000-01-01',
      'until=1970-01-01',
      'from=yesterday',
      'who=me',
      'actor_kind=robot',
    ]) {
      expect((await admin.client.get(`${base}?${query}`)).status, query).toBe(400);
    }
  });

  it('is for admins of this organization', async () => {
    const member = await addPerson(service, fixture.organizationId, 'member');
    const stranger = await addPerson(service, await service.createOrganization(), 'owner');
    for (const path of [base, `${base}/export?format=csv`, `${base}/verification`]) {
      expect((await member.client.get(path)).status).toBe(403);
      expect((await stranger.client.get(path)).status).toBe(404);
    }
  });
});

describe('an export', () => {
  it('has every entry as CSV without formulas, and is itself an entry', async () => {
    await asAdministrator(`update people set name = '=1+1' where id = $1`, [admin.id]);
    const before = (await list('?limit=1')).entries[0]!.sequence;
    const { text, headers } = await admin.client.get(`${base}/export?format=csv`);
    await asAdministrator(`update people set name = 'A admin' where id = $1`, [admin.id]);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log-[\d-]{10}\.csv"/);
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      '"sequence","occurred_at","actor_kind","actor_id","actor_name","action","object_kind","object_id","object_name","address","detail"',
    );
    expect(lines).toHaveLength(before + 2);
    expect(lines[1]).toContain(`"person","${admin.id}","'=1+1","audit_log.exported","organization",`);
    expect((await list('?limit=1')).entries[0]).toMatchObject({
      action: 'audit_log.exported',
      detail: { format: 'csv', filters: {} },
    });
  });

  it('has the filtered entries as JSON lines, each as in the list, over many batches', async () => {
    const crowded = await createFixture(service);
    const person = await addPerson(service, crowded.organizationId, 'owner');
    const store = service.storage.tenant(crowded.organizationId, { kind: 'service', id: 'test' });
    await store.transaction(transaction =>
      transaction.query({
        text: `select record_audit('service', 'test', 'scan.finished', 'scan', n::text, '{}', null)
          from generate_series(1, 2500) as n`,
      }),
    );
    const path = `/organizations/${crowded.organizationId}/audit`;
    const { text } = await person.client.get(`${path}/export?format=jsonl&action=scan.finished`);
    const entries = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(entries.map(({ object }) => Number(object.id))).toEqual(
      Array.from({ length: 2500 }, (_, index) => 2500 - index),
    );
    const page = await person.client.get(`${path}?action=scan.finished&limit=2`);
    expect(entries.slice(0, 2)).toEqual(page.json.entries);
    expect((await person.client.get(`${path}/export?format=xml`)).status).toBe(400);
  });
});

describe('verification', () => {
  const verify = async (organization: string, { client }: TestPerson) =>
    (await client.get(`/organizations/${organization}/audit/verification`)).json;

  it('reports that the whole chain is valid, and its head', async () => {
    const [head] = (
      await asAdministrator(
        `select sequence, encode(hash, 'hex') as hash from audit_heads where organization_id = $1`,
        [fixture.organizationId],
      )
    ).rows;
    expect(await verify(fixture.organizationId, admin)).toMatchObject({
      holds: true,
      entries: Number(head.sequence),
      holds_until: Number(head.sequence),
      head: head.hash,
      problem: null,
    });
  });

  it.each([
    [
      'an altered entry',
      `update audit_entries set detail = '{"a":1}' where sequence = 3 and`,
      2,
      'entry_altered',
    ],
    [
      'an altered address',
      `update audit_entries set address = '10.0.0.1' where sequence = 4 and`,
      3,
      'entry_altered',
    ],
    ['a removed entry', 'delete from audit_entries where sequence = 5 and', 4, 'out_of_sequence'],
    ['a cut tail', 'delete from audit_entries where sequence > 3 and', 3, 'head_mismatch'],
  ])('finds %s, in this organization only', async (_what, tampering, until, problem) => {
    const tampered = await createFixture(service);
    const person = await addPerson(service, tampered.organizationId, 'admin');
    await pastTriggers(service.database.connection, client =>
      client.query(`${tampering} organization_id = $1`, [tampered.organizationId]),
    );
    expect(await verify(tampered.organizationId, person)).toMatchObject({
      holds: false,
      holds_until: until,
      problem,
    });
    expect((await verify(fixture.organizationId, admin)).holds).toBe(true);
  });
});

it('has a label for every action that the service records', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.ts'),
  );
  const kinds = [...new Set(Object.keys(auditActions).map(action => action.split('.')[0]))].join('|');
  const written = files
    .filter(file => !file.includes('audit-actions') && /^(storage|dashboard|worker|main|api)\//.test(file))
    .flatMap(file => [
      ...readFileSync(`src/${file}`, 'utf8').matchAll(new RegExp(`'((?:${kinds})\\.[a-z_]+)'`, 'g')),
    ])
    .map(match => match[1]!);
  expect(written.length).toBeGreaterThan(30);
  // A test compares this page with the code.
  const logged = new Set(
    [...readFileSync('docs/logging.md', 'utf8').matchAll(/^\| `([a-z_.]+)` /gm)].map(([, event]) => event!),
  );
  const unlabelled = written.filter(action => !(action in auditActions) && !logged.has(action));
  expect([...new Set(unlabelled)]).toEqual([]);
});

it('stays fast with 100,000 entries, for every filter', { timeout: 120_000 }, async () => {
  const crowded = await createFixture(service);
  const person = await addPerson(service, crowded.organizationId, 'admin');
  await asAdministrator(
    `insert into audit_entries select $1, n, now() - make_interval(secs => 200000 - n), 'service', 'worker', 'scan.finished', 'scan', n::text, '{}', '\\x', '\\x', null
      from generate_series(1000, 101000) as n`,
    [crowded.organizationId],
  );
  await asAdministrator('vacuum analyze audit_entries');
  const path = `/organizations/${crowded.organizationId}/audit`;
  for (const query of [
    '',
    '?action=key.minted',
    '?actor_kind=operator',
    '?object_kind=scan&object_id=5000',
    '?until=2026-01-01',
  ]) {
    await person.client.get(`${path}${query}`);
    const begin = performance.now();
    expect((await person.client.get(`${path}${query}`)).status).toBe(200);
    expect(performance.now() - begin, `milliseconds for ${query}`).toBeLessThan(400);
  }
});
