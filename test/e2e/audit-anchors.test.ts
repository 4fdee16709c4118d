import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { operate } from '../support/parapet-process.ts';
import { createDatabase, pastTriggers, type TestDatabase } from '../support/postgres.ts';
import { ServingProcess } from '../support/serving-process.ts';

let database: TestDatabase;
let env: Record<string, string>;
let folder: string;
let organizationId: string;
let log: string;
let document: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-anchors-'));
  database = await createDatabase(inject('postgres'));
  await migrate(database.connection);
  env = {
    DATABASE_URL: database.url,
    PARAPET_MASTER_KEY: randomBytes(32).toString('base64'),
  };
  const service = await ServingProcess.serve(env, ['--role', 'worker']);
  organizationId = (await operate(env, 'organizations', 'create', '--name', 'Anchored')).id;
  await operate(env, 'keys', 'mint', '--organization', organizationId);
  await operate(env, 'keys', 'mint', '--organization', organizationId);
  await service.kill('SIGTERM');
  log = join(folder, 'service.log');
  // As from a log collector: with lines of others, and a prefix before the JSON.
  await writeFile(
    log,
    ['2026-01-01 host other[1]: up', ...service.log.map(line => `host parapet[2]: ${line}`)].join('\n'),
  );
  document = join(folder, 'doctor.json');
  await writeFile(document, JSON.stringify(await operate(env, 'doctor'), null, 2));
});
afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function doctor(...parameters: string[]): Promise<Record<string, boolean>> {
  const { checks } = await operate(env, 'doctor', ...parameters);
  return Object.fromEntries(
    checks
      .filter(({ check }: { check: string }) => check.startsWith('audit'))
      .map(({ check, ok }: { check: string; ok: boolean }) => [check, ok]),
  );
}

/** What the owner of the database can do: change an entry, and recompute every hash from there on. */
const rewrite = `
  do $$
  declare
    entry audit_entries%rowtype;
    previous bytea := '\\x';
  begin
    update audit_entries set actor_id = 'somebody else' where sequence = 2;
    for entry in select * from audit_entries order by sequence loop
      update audit_entries e set previous_hash = previous, hash = sha256(previous || convert_to(audit_text(e.organization_id,
        e.sequence, e.occurred_at, e.actor_kind, e.actor_id, e.action, e.object_kind, e.object_id, e.detail, e.address), 'UTF8'))
        where e.sequence = entry.sequence returning hash into previous;
    end loop;
    update audit_heads set hash = previous;
  end $$`;
const cut = `
  delete from audit_entries where sequence > 1;
  update audit_heads set sequence = 1, hash = (select hash from audit_entries)`;

it('logs the heads of the chains when the service stops, and shows them to the operator', async () => {
  const { audit_heads } = await operate(env, 'doctor');
  expect(audit_heads).toEqual([
    { organization_id: organizationId, sequence: 3, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
  expect(await doctor('--anchor', log)).toEqual({ 'audit chains': true, 'audit anchors': true });
  expect(await doctor('--anchor', document)).toEqual({ 'audit chains': true, 'audit anchors': true });
});

it('stays valid when the chain grows', async () => {
  await operate(env, 'keys', 'mint', '--organization', organizationId);
  expect(await doctor('--anchor', log)).toEqual({ 'audit chains': true, 'audit anchors': true });
});

it('does not accept a log with lines of heads that were too long for it', async () => {
  const shortened = join(folder, 'cut.log');
  const line = JSON.stringify({ level: 30, msg: 'audit.heads', cut: true });
  await writeFile(shortened, `${await readFile(log, 'utf8')}\n${line}\n`);
  expect(await doctor('--anchor', shortened)).toEqual({ 'audit chains': true, 'audit anchors': false });
});

it('does not accept a file without heads as an anchor', async () => {
  const empty = join(folder, 'empty.log');
  await writeFile(empty, '{"msg":"request"}\n{"msg":"audit.heads","heads":[{"organization_id":"x"}]}\n');
  expect(await doctor('--anchor', empty)).toMatchObject({ 'audit anchors': false });
  expect(await doctor('--anchor', join(folder, 'missing'))).toMatchObject({ 'audit anchors': false });
});

it('finds a chain that differs between people and the service’s check', async () => {
  await pastTriggers(database.connection, async client => {
    const { rows } = await client.query(
      "select policyname, roles::text[] as roles from pg_policies where tablename = 'audit_entries'",
    );
    const app = rows.flatMap(({ roles }) => roles).find((role: string) => !role.endsWith('_system'));
    await client.query(
      `create policy hidden on audit_entries as restrictive for select to ${app} using (sequence <> 2)`,
    );
  });
  expect(await doctor('--anchor', log)).toEqual({ 'audit chains': false, 'audit anchors': true });
  await pastTriggers(database.connection, client => client.query('drop policy hidden on audit_entries'));
  expect(await doctor('--anchor', log)).toEqual({ 'audit chains': true, 'audit anchors': true });
});

it.each([
  ['was rewritten with all hashes recomputed', rewrite],
  ['was cut off together with its head', cut],
])('finds only with an anchor a chain that %s', async (_what, tampering) => {
  await pastTriggers(database.connection, client => client.query(tampering));
  for (const anchor of [log, document]) {
    expect(await doctor('--anchor', anchor)).toEqual({ 'audit chains': true, 'audit anchors': false });
  }
  expect(await doctor()).toEqual({ 'audit chains': true });
});

it('finds a chain that was removed, with an anchor and without', async () => {
  const removing = 'delete from audit_entries; delete from audit_heads';
  await pastTriggers(database.connection, client => client.query(removing));
  for (const anchor of [log, document]) {
    expect(await doctor('--anchor', anchor)).toEqual({ 'audit chains': false, 'audit anchors': false });
  }
  expect(await doctor()).toEqual({ 'audit chains': false });
});
