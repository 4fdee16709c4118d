import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { extract } from 'tar-stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportedTables } from '../../src/backup/exported-tables.ts';
import { storeEvidence } from '../../src/resources/evidence/evidence.ts';
import { turnWatchOn } from '../../src/resources/sources/watches.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { DashboardClient } from '../support/dashboard-client.ts';
import { eventRow, storeEvents } from '../support/events.ts';
import { environmentOf, operate, ParapetProcess, parapet } from '../support/parapet-process.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { call } from '../support/signing-client.ts';

const content = Buffer.from('the policy of the clinic, decrypted');

let service: TestService;
let worker: ServingProcess;
let env: Record<string, string>;
let folder: string;
let gone: Fixture;
let kept: Fixture;
let owner: TestPerson;
let other: TestPerson;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-deletion-'));
  service = await startService();
  env = { ...(await environmentOf(service)), PATH: process.env.PATH! };
  worker = await ServingProcess.work(service.database.url, env);
  [gone, kept] = [await fill(), await fill()];
  owner = await addPerson(service, gone.organizationId, 'owner');
  other = await addPerson(service, kept.organizationId, 'owner');
  for (const [{ organizationId }, { id }] of [
    [gone, owner],
    [kept, other],
  ] as const) {
    await service.storage.tenant(organizationId, { kind: 'person', id }).transaction(async transaction => {
      const file = { kind: 'file', name: 'policy.txt', mediaType: 'text/plain', content } as const;
      const evidence = await storeEvidence(transaction, service.storage.keyRing, file);
      const [attested] = await transaction.query<{ id: string }>({
        text: `insert into control_attestations (control, statement, attested_by, valid_until)
          values ('c', 's', $1, now() + interval '1 year') returning id`,
        values: [id],
      });
      await transaction.query({
        text: 'insert into attestation_evidence (attestation_id, evidence_id, linked_by) values ($1, $2, $3)',
        values: [attested!.id, evidence.id, id],
      });
    });
  }
  // An export is compared with the rows after it.
  await poll('the first scans by Watch have ended', () =>
    asOwner(service.database.connection, async client => {
      const { rowCount } = await client.query(
        'select from posture_scores where not exists (select from pending_audit_entries)',
      );
      return rowCount === 2;
    }),
  );
});
afterAll(async () => {
  await worker?.kill('SIGTERM');
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

/** More rows than fit into a transaction, and everything that stays after it was used. */
async function fill(): Promise<Fixture> {
  const fixture = await createFixture(service);
  const { organizationId, systemId, sourceId } = fixture;
  const events = Array.from({ length: 4_500 }, () => eventRow());
  await storeEvents(service.storage.events, { organizationId, systemId }, events);
  await service.storage.sweep();
  await storeEvents(service.storage.events, { organizationId, systemId }, [eventRow()]);
  const person = await addPerson(service, organizationId, 'owner');
  await service.storage
    .tenant(organizationId, { kind: 'person', id: person.id })
    .transaction(transaction => turnWatchOn(transaction, sourceId, 24, { privilegedConnections: true }));
  return fixture;
}

/** Rows of the organization by table, also of those that are not of any. */
function rowsOf(organizationId: string): Promise<Record<string, number>> {
  return asOwner(service.database.connection, async client => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and attname = 'organization_id'
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
    );
    const counts: Record<string, number> = {};
    const count = async (name: string, condition: string) => {
      const { rows } = await client.query(`select count(*)::int as n from ${name} where ${condition} = $1`, [
        organizationId,
      ]);
      counts[name] = rows[0].n;
    };
    for (const { name } of tables) await count(name, 'organization_id');
    await count('organizations', 'id');
    await count('people', 'invited_by');
    await count('pgboss.job', `data ->> 'organizationId'`);
    return Object.fromEntries(Object.entries(counts).filter(([, rows]) => rows > 0));
  });
}

async function filesOf(path: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const unpacked = extract();
  createReadStream(path)
    .pipe(createGunzip())
    .pipe(unpacked as unknown as NodeJS.WritableStream);
  for await (const entry of unpacked)
    files.set(entry.header.name, await buffer(entry as unknown as NodeJS.ReadableStream));
  return files;
}

const linesOf = (file: Buffer) =>
  file
    .toString()
    .trimEnd()
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));

/** Checks that an export has the records of one organization, each as its manifest says, and an audit log that can be verified. */
async function expectComplete(path: string, organizationId: string, person: TestPerson): Promise<void> {
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const files = await filesOf(path);
  const manifest = JSON.parse(String(files.get('manifest.json')));
  expect(manifest.organization).toMatchObject({ id: organizationId, name: 'Test' });
  for (const part of [...manifest.tables, ...manifest.evidence]) {
    const bytes = files.get(part.name)!;
    expect(bytes.length, part.name).toBe(part.bytes);
    expect(createHash('sha256').update(bytes).digest('hex'), part.name).toBe(part.sha256);
    if (part.rows !== undefined) expect(linesOf(bytes), part.name).toHaveLength(part.rows);
  }
  expect([...files.keys()].sort()).toEqual(
    [...manifest.tables, ...manifest.evidence]
      .map(({ name }) => name)
      .concat('manifest.json')
      .sort(),
  );
  const rows = (table: string) => linesOf(files.get(`tables/${table}.jsonl`)!);
  expect(rows('events').length).toBeGreaterThan(4_500);
  const [evidence] = rows('evidence');
  expect(evidence).toMatchObject({ name: 'policy.txt', created_by: person.id });
  expect(files.get(`evidence/${evidence.id}`)).toEqual(content);
  expect(rows('people')).toContainEqual({ id: person.id, name: 'A owner', email: person.email });
  expect(rows('watches')).toHaveLength(1);
  let previous = Buffer.alloc(0);
  const entries = rows('audit_entries');
  for (const [index, entry] of entries.entries()) {
    expect(entry.sequence).toBe(index + 1);
    previous = createHash('sha256').update(previous).update(entry.hashed).digest();
    expect(entry.hash).toBe(`\\x${previous.toString('hex')}`);
  }
  expect(manifest.audit_head).toEqual({ sequence: entries.length, hash: previous.toString('hex') });
}

const ingest = ({ key, systemId }: Fixture) =>
  call(service.url, key, 'POST', '/functions/v1/events-ingest', {
    system_id: systemId,
    events: [{ id: crypto.randomUUID(), kind: 'probe.started', occurred_at: '2026-11-21T08:00:00Z' }],
  });

it('deletes nothing without an export while records must be kept, or without confirmation', async () => {
  const remove = (...options: string[]) =>
    parapet(['organizations', 'delete', kept.organizationId, ...options], env);
  const refused = await remove('--without-export', '--yes');
  expect(refused).toMatchObject({ status: 1, errors: expect.stringContaining('45 CFR 164.316(b)(2)(i)') });
  expect((await remove('--yes')).errors).toContain('--without-export');
  expect((await remove('--export', join(folder, 'x'))).errors).toContain('--yes');
  const file = join(folder, 'earlier.tar.gz');
  expect((await parapet(['organizations', 'export', kept.organizationId, file], env)).status).toBe(0);
  expect((await remove('--export', file, '--yes')).errors).toContain('exists already');
  expect((await ingest(kept)).status).toBe(202);
});

it('exports and deletes an organization, continues after it was killed, and leaves the others alone', async () => {
  const file = join(folder, 'gone.tar.gz');
  const parameters = ['organizations', 'delete', gone.organizationId, '--export', file, '--yes', '--json'];
  const { audit_heads: heads } = await operate(env, 'doctor');
  const before = await rowsOf(kept.organizationId);
  const answers: number[] = [];
  let isDone = false;
  const meanwhile = (async () => {
    // As many as its key may send in a minute.
    while (!isDone && answers.length < 50) answers.push((await ingest(kept)).status);
  })();
  // Somebody has a row of it locked: the deletion waits there, and is killed.
  const locked = new pg.Client(service.database.connection);
  await locked.connect();
  await locked.query('begin');
  await locked.query('select from systems where id = $1 for update', [gone.systemId]);
  const killed = new ParapetProcess(parameters, env);
  await poll('the deletion waits', () =>
    asOwner(service.database.connection, async client => {
      const { rowCount } = await client.query(
        `select from pg_stat_activity where application_name = 'parapet-delete' and wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    }),
  );
  killed.signal('SIGKILL');
  expect(await killed.end()).toBe('SIGKILL');
  await locked.query('rollback');
  await locked.end();

  const half = await rowsOf(gone.organizationId);
  expect([half.events, half.systems, half.organizations]).toEqual([undefined, 1, 1]);
  expect((await ingest(gone)).status, 'its key').toBe(401);
  const { organizations } = (await owner.client.session()) as { organizations: unknown[] };
  expect(organizations, 'what its owner sees').toEqual([]);
  const others = (await service.storage.system.listOrganizations()).map(({ id }) => id);
  expect(others).toContain(kept.organizationId);
  expect(others).not.toContain(gone.organizationId);
  expect((await parapet(['doctor'], env)).output).not.toContain('FAIL');

  const exportedBytes = await readFile(file);
  const { status, output, errors } = await parapet(parameters, env);
  isDone = true;
  await meanwhile;
  expect(status, errors).toBe(0);
  const result = JSON.parse(output);
  expect(result.export, 'it was complete before').toBeNull();
  expect(result.people_without_organization).toContain(owner.email);
  expect(await readFile(file)).toEqual(exportedBytes);
  await expectComplete(file, gone.organizationId, owner);
  expect(new Set(answers)).toEqual(new Set([202]));

  expect(await rowsOf(gone.organizationId)).toEqual({});
  await poll('the line in the log', () =>
    worker.log.some(line => line.includes('"organization.deleted"') && line.includes(gone.organizationId)),
  );
  const rest = await rowsOf(kept.organizationId);
  expect(rest).toMatchObject({
    events: before.events! + answers.length,
    evidence: 1,
    findings: 1,
    watches: 1,
  });
  const anchors = async (name: string, lines: readonly string[]) => {
    await writeFile(join(folder, name), [JSON.stringify({ msg: 'audit.heads', heads }), ...lines].join('\n'));
    const { checks } = await operate(env, 'doctor', '--anchor', join(folder, name));
    return checks.find(({ check }: { check: string }) => check === 'audit anchors').ok;
  };
  expect(await anchors('complete.log', worker.log)).toBe(true);
  expect(await anchors('cut.log', []), 'without the line of the deletion').toBe(false);
  const forged = JSON.stringify({ msg: 'organization.deleted', organization_id: kept.organizationId });
  heads.push({ organization_id: kept.organizationId, sequence: 99_999, hash: '0'.repeat(64) });
  expect(await anchors('forged.log', [...worker.log, forged]), 'of one that still exists').toBe(false);
  const doctor = await parapet(['doctor'], env);
  expect(doctor.output).toContain(`audit chains: valid for ${others.length} organizations`);
  expect(doctor.status).toBe(0);
});

it('has exported everything but secrets, with a log that can be verified', async () => {
  const file = join(folder, 'kept.tar.gz');
  const { output } = await parapet(['organizations', 'export', kept.organizationId, file, '--json'], env);
  await expectComplete(file, kept.organizationId, other);
  const stored = await rowsOf(kept.organizationId);
  const manifest = JSON.parse(String((await filesOf(file)).get('manifest.json')));
  const exported = manifest.tables
    .filter(({ name, rows }: { name: string; rows: number }) => rows > 0 && name !== 'tables/people.jsonl')
    .map(({ name, rows }: { name: string; rows: number }) => [name.slice(7, -6), rows]);
  const expected = Object.entries(stored).filter(([name]) => name in exportedTables);
  expect(Object.fromEntries(exported)).toEqual(Object.fromEntries(expected));
  const text = [...(await filesOf(file)).values()].map(String).join('\n');
  const secrets = await asOwner(service.database.connection, async client => {
    const { rows } = await client.query(
      `select encode(token_hash, 'hex') as secret from api_keys union all select encode(wrapped_key, 'hex') from evidence
        union all select encode(token_hash, 'hex') from sessions union all select password_hash from people where password_hash is not null`,
    );
    return rows.map(({ secret }) => secret as string);
  });
  expect(secrets.filter(secret => text.includes(secret))).toEqual([]);
  expect(JSON.parse(output)).toMatchObject({ evidence: 1, unreadable_evidence: [] });
});

it('deletes a person, whom the log still names', async () => {
  const remove = (email: string, ...options: string[]) =>
    parapet(['people', 'delete', email, '--yes', ...options], env);
  const leaving = await addPerson(service, kept.organizationId, 'admin');
  await service.storage
    .tenant(kept.organizationId, { kind: 'person', id: leaving.id })
    .transaction(async t => {
      t.audit({ action: 'system.renamed', objectKind: 'system', objectId: kept.systemId });
      await t.query({
        text: `insert into finding_views (person_id, name, filters, shared) values ($1, 'Mine', '{}', false), ($1, 'Ours', '{}', true)`,
        values: [leaving.id],
      });
    });
  const file = join(folder, 'person.json');
  expect(await remove(leaving.email, '--export', file)).toMatchObject({ status: 0, errors: '' });

  const document = JSON.parse(await readFile(file, 'utf8'));
  expect(document.account).toMatchObject([{ id: leaving.id, email: leaving.email, has_password: true }]);
  expect(document.sessions).toMatchObject([{ address: '127.0.0.1' }]);
  expect(document.finding_views).toHaveLength(2);
  expect(document.audit_entries).toMatchObject([{ action: 'system.renamed', actor_id: leaving.id }]);
  expect(JSON.stringify(document)).not.toMatch(/argon2|token_hash|public_key|wrapped/);

  expect((await leaving.client.session()).state).toBe('signed_out');
  const again = await new DashboardClient(service.url).post('/sign-in', {
    email: leaving.email,
    password: leaving.password,
  });
  expect(again.json.error_code).toBe('sign_in_failed');
  const log = await other.client.get(`/organizations/${kept.organizationId}/audit?actor_id=${leaving.id}`);
  expect(log.json.entries[0], log.text).toMatchObject({
    action: 'system.renamed',
    actor: { name: 'A admin' },
  });
  const left = await asOwner(service.database.connection, async client => {
    const { rows } = await client.query(
      `select p.name, p.email like '%@parapet.invalid' as anonymous, p.password_hash,
        (select count(*)::int from sessions where person_id = p.id) as sessions,
        (select count(*)::int from totp_factors where person_id = p.id) as factors,
        array(select v.name from finding_views v where v.person_id = p.id) as views
        from people p where id = $1`,
      [leaving.id],
    );
    return rows;
  });
  expect(left).toEqual([
    {
      name: 'Deleted account',
      anonymous: true,
      password_hash: null,
      sessions: 0,
      factors: 0,
      views: ['Ours'],
    },
  ]);

  const invited = await operate(
    env,
    'people',
    'invite',
    '--organization',
    kept.organizationId,
    '--email',
    leaving.email,
  );
  const token = invited.url.split('#token=')[1];
  const made = await new DashboardClient(service.url).post('/invitations/account', {
    token,
    name: 'New',
    password: 'velvet anchor 58 marmot',
  });
  expect(made.status, made.text).toBeLessThan(300);
});

it('does not delete the last owner of an organization', async () => {
  const id = (
    await service.storage.system.createOrganization('Harbor Clinic', { kind: 'operator', id: 'test' })
  ).id;
  const last = await addPerson(service, id, 'owner');
  const refused = await parapet(['people', 'delete', last.email, '--without-export', '--yes'], env);
  expect(refused).toMatchObject({ status: 1, errors: expect.stringContaining('Harbor Clinic') });
  expect((await last.client.session()).state).toBe('signed_in');
});
