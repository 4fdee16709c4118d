import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { type SampleSite, startSampleSite } from '../../src/main/sample-site/sample-site.ts';
import { operate, parapet } from '../support/parapet-process.ts';
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from '../support/pgbouncer.ts';
import { asOwner, createDatabase, type TestDatabase, urlOf } from '../support/postgres.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call, send, signRequest } from '../support/signing-client.ts';

const masterKey = randomBytes(32).toString('base64');
const { PATH } = process.env;

describe.runIf(hasPgbouncer())('behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: Pgbouncer;
  let env: Record<string, string>;
  beforeAll(async () => {
    database = await createDatabase(inject('postgres'));
    const { database: name } = database.connection;
    // Too few for two processes without a pooler, and enough for it and the direct connections.
    await asOwner(inject('postgres'), client => client.query(`alter database ${name} connection limit 30`));
    // Fewer connections than a single process opens.
    pooler = await startPgbouncer(database.connection, { default_pool_size: 4 });
    env = {
      DATABASE_URL: urlOf(pooler.connection),
      DATABASE_POOLER: 'transaction',
      PARAPET_MASTER_KEY: masterKey,
      PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8,::1/128',
      PARAPET_MANAGEMENT_PORT: 'off',
    };
  });
  afterAll(async () => {
    await pooler?.close();
    await database?.drop();
  });

  describe('with two nodes that start together', () => {
    let nodes: ServingProcess[];
    let site: SampleSite;
    let key: ClientKey;
    beforeAll(async () => {
      site = await startSampleSite();
      const direct = { DATABASE_DIRECT_URL: database.url };
      nodes = await Promise.all([
        ServingProcess.serve(env),
        ServingProcess.serve({ ...env, ...direct, PARAPET_PROCESSES: '2' }),
      ]);
      const { id } = await operate(env, 'organizations', 'create', '--name', 'Pooled');
      key = await operate(env, 'keys', 'mint', '--organization', id);
    });
    afterAll(async () => {
      for (const node of nodes ?? []) await node.kill('SIGTERM');
      await site?.close();
    });

    it('admits exactly as many requests as the limit allows, each once', async () => {
      const other: ClientKey = await operate(
        env,
        'keys',
        'mint',
        '--organization',
        await organizationOf(database),
      );
      const replayed = signRequest(other, 'GET', '/api/v1/systems');
      const requests = [
        ...Array.from({ length: 10 }, () => replayed),
        ...Array.from({ length: 70 }, () => signRequest(other, 'GET', '/api/v1/systems')),
      ];
      const answers = await Promise.all(requests.map((each, index) => send(nodes[index % 2]!.url, each)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
      expect(answers.slice(0, 10).filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
    });

    it('has as many processes as the operator wants, whatever PostgreSQL permits', () => {
      const ready = nodes[1]!.log.find(line => line.includes('"msg":"ready"'))!;
      expect(JSON.parse(ready).processes).toBe(2);
    });

    it('stores, scans and lists on either node', async () => {
      const create = async (path: string, body: object, node = 0) =>
        (await call(nodes[node]!.url, key, 'POST', `/api/v1${path}`, body)).json;
      const { system } = await create('/systems', { name: 'S', environment: 'test', kind: 'site' });
      const { source } = await create(
        '/sources',
        { system_id: system.id, name: 'W', kind: 'website', host: site.host },
        1,
      );
      await create(`/sources/${source.id}/risk-accept`, {});
      await create(`/sources/${source.id}/authorize-scan`, {}, 1);
      const scanned = await parapet(['scan', '--source', source.id, '--wait', '--format', 'json'], {
        PATH,
        PARAPET_URL: nodes[1]!.url,
        PARAPET_TOKEN: key.token,
        PARAPET_TOKEN_ID: key.token_id,
        PARAPET_SIGNING_KEY: key.signing_key,
      } as NodeJS.ProcessEnv);
      const ended = JSON.parse(scanned.output);
      expect(ended.scan.status).toBe('completed');
      expect(ended.findings.length).toBeGreaterThan(0);
    });

    it('keeps operators’ commands at work, one rotation of the master key after another', async () => {
      const doctor = await operate(env, 'doctor');
      expect(doctor.checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
      const rotation = await operate(env, 'keys', 'rotate-master');
      expect(rotation.master_key_id).toMatch(/^[0-9a-f]{16}$/);
      expect(await operate(env, 'keys', 'rotate-master')).toEqual(rotation);
    });

    it('starts again at once, with nothing left in sessions of the pooler', async () => {
      const migrating = await Promise.all([1, 2, 3].map(() => migrate(pooler.connection)));
      expect(migrating.flatMap(({ applied }) => applied)).toEqual([]);
      const held = await asOwner(database.connection, client =>
        client.query(
          `select from pg_locks where locktype = 'advisory'
            and database = (select oid from pg_database where datname = current_database()) and classid <> 0`,
        ),
      );
      const prepared = pooler.log().match(/prepared statement/g) ?? [];
      expect({ held: held.rowCount, prepared }).toEqual({ held: 0, prepared: [] });
      for (const node of nodes) expect(node.log.filter(line => /"level":(?:50|60)/.test(line))).toEqual([]);
    });
  });
});

async function organizationOf(database: TestDatabase): Promise<string> {
  const { rows } = await asOwner(database.connection, client => client.query('select id from organizations'));
  return rows[0].id;
}
