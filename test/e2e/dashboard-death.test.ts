import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { DashboardClient, totpCode } from '../support/dashboard-client.ts';
import { poll } from '../support/poll.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call } from '../support/signing-client.ts';

/** Actions during which nodes are killed. */
const acts = 30;

let database: TestDatabase;
let env: Record<string, string>;
const nodes: ServingProcess[] = [];

async function startNode(): Promise<ServingProcess> {
  const node = await ServingProcess.serve(env, ['--role', 'api']);
  nodes.push(node);
  return node;
}

beforeAll(async () => {
  database = await createDatabase(inject('postgres'));
  env = { DATABASE_URL: database.url, PARAPET_MASTER_KEY: randomBytes(32).toString('base64') };
});
afterAll(async () => {
  for (const node of nodes) await node.kill('SIGTERM');
  await database?.drop();
});

const sql = (text: string, values: unknown[] = []) =>
  asOwner(database.connection, async client => (await client.query(text, values)).rows);

const owner = { name: 'Ada', email: 'ada@example.org', password: 'lantern orbit cactus 71' };

/** The first owner, whose authenticator app is set up on two nodes. */
async function setUp(one: ServingProcess, other: ServingProcess) {
  const link = await poll('the set-up link', async () =>
    one.log.find(line => line.includes('/dashboard/set-up#token='))?.trim(),
  );
  const client = new DashboardClient(one.url);
  const token = link.split('#token=')[1];
  const { json } = await client.post('/set-up', { token, organization_name: 'Harbor', ...owner });
  const { secret } = (await client.at(other.url).post('/account/totp')).json;
  const confirmed = await client.post('/account/totp/confirm', { code: await totpCode(secret) });
  const [backupCode] = confirmed.json.backup_codes as string[];
  return { secret, backupCode, organizationId: json.organizations[0].id as string };
}

/** Findings to triage, each with its own source. */
async function insertFindings(organizationId: string): Promise<string[]> {
  return asOwner(database.connection, async client => {
    await client.query("select set_config('parapet.organization_id', $1, false)", [organizationId]);
    const system = await client.query(
      "insert into systems (name, environment, kind) values ('S', 'test', 'site') returning id",
    );
    const source = await client.query(
      `insert into sources (system_id, name, kind, host, connection_mode, status)
        values ($1, 'W', 'website', 'shop.example', 'direct', 'connected') returning id`,
      [system.rows[0].id],
    );
    const { rows } = await client.query(
      `insert into findings (system_id, source_id, category, fingerprint, locator, severity, title, remediation, seen, hipaa)
        select $1, $2, 'tls.expired', 'f' || n, 'l' || n, 'high', 't', 'r', 's', true from generate_series(1, $3) n
        returning id`,
      [system.rows[0].id, source.rows[0].id, acts],
    );
    return rows.map(row => row.id);
  });
}

it('signs in, steps up, creates keys and triages over two nodes, one of which dies in between', {
  timeout: 180_000,
}, async () => {
  const [first, second] = [await startNode(), await startNode()];
  const { secret, backupCode, organizationId } = await setUp(first, second);
  const path = `/organizations/${organizationId}`;
  const findings = await insertFindings(organizationId);

  // The password on one node, which dies; the second factor on the other.
  const browser = new DashboardClient(first.url);
  await browser.post('/sign-in', { email: owner.email, password: owner.password });
  await first.kill();
  const signedIn = browser.at(second.url);
  const code = await totpCode(secret, 1);
  expect((await signedIn.post('/second-factor', { type: 'totp', code })).json.state).toBe('signed_in');
  const third = await startNode();
  const replay = await signedIn.at(third.url).post('/second-factor', { type: 'totp', code });
  expect(replay.json.error_code, 'a node that never received the code').toBe('second_factor_failed');

  // The step-up on one node, which dies; keys on the other.
  const step = await signedIn.post('/second-factor', { type: 'backup_code', code: backupCode });
  expect(step.json.stepped_up_until).not.toBeNull();
  await second.kill();
  let alive = third;
  const minted: ClientKey[] = [];
  const decided: string[] = [];
  let failures = 0;
  for (let act = 0; act < acts; act++) {
    const successor = act % 10 === 9 ? await startNode() : undefined;
    const client = signedIn.at(alive.url);
    const acting = [
      client.post(`${path}/keys`, { name: `Key ${act}`, kind: 'dashboard' }).then(({ status, json }) => {
        if (status === 201) minted.push(json);
      }),
      client
        .post(`${path}/findings/triage`, {
          ids: [findings[act]],
          decision: { decision: 'false_positive', reason: `act ${act}` },
        })
        .then(({ status }) => {
          if (status === 200) decided.push(findings[act]!);
        }),
    ];
    if (successor) {
      // After varying delays: unanswered requests took effect completely, or not at all.
      await setTimeout(act);
      await Promise.all([alive.kill(), ...acting.map(one => one.catch(() => failures++))]);
      alive = successor;
    } else await Promise.all(acting);
  }
  expect(minted.length).toBeGreaterThanOrEqual(acts - 3);
  expect(decided.length).toBeGreaterThanOrEqual(acts - 3);

  for (const key of minted) expect((await call(alive.url, key, 'GET', '/api/v1/systems')).status).toBe(200);
  const [counts] = await sql(
    `select (select count(*)::int from api_keys) as keys,
      (select count(*)::int from ${recordedEntries} where action = 'key.minted') as minted,
      (select count(*)::int from findings where status = 'false_positive') as decided,
      (select count(*)::int from finding_decisions) as decisions,
      (select count(*)::int from ${recordedEntries} where action = 'finding.false_positive') as audited`,
  );
  expect(counts).toMatchObject({
    minted: counts!.keys,
    decisions: counts!.decided,
    audited: counts!.decided,
  });
  expect(counts!.keys).toBeGreaterThanOrEqual(minted.length);
  expect(counts!.keys - minted.length + counts!.decided - decided.length).toBeLessThanOrEqual(failures);
  const states = await sql('select status from findings where id = any($1)', [decided]);
  expect(new Set(states.map(row => row.status))).toEqual(new Set(['false_positive']));
  expect((await signedIn.at(alive.url).session()).state).toBe('signed_in');
});
