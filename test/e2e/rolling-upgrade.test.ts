import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type SampleSite, startSampleSite } from '../../src/main/sample-site/sample-site.ts';
import { buildLastRelease, hasLastRelease } from '../support/last-release.ts';
import { parapet } from '../support/parapet-process.ts';
import { poll } from '../support/poll.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServingProcess } from '../support/serving-process.ts';
import { type ClientKey, call } from '../support/signing-client.ts';

/** Each writes less often than once a second: a key may send 60 requests a minute. */
const organizations = 12;
const everyMs = 1_100;

interface Client {
  readonly key: ClientKey;
  readonly systemId: string;
  readonly sourceId: string;
  /** The scan it waits for: it starts the next one afterwards, or scans would be queued faster than a busy machine ends them. */
  scanId?: string;
}

describe.runIf(await hasLastRelease())('a rolling upgrade from the last release', () => {
  let database: TestDatabase;
  let site: SampleSite;
  let env: Record<string, string>;
  let lastRelease: string;
  let clients: Client[];
  const nodes: ServingProcess[] = [];
  /** Where the balancer sends requests. */
  const used: ServingProcess[] = [];

  const start = async (release?: string) => {
    const node = await ServingProcess.serve(env, [], release);
    nodes.push(node);
    used.push(node);
    return node;
  };

  beforeAll(async () => {
    lastRelease = await buildLastRelease();
    database = await createDatabase(inject('postgres'));
    site = await startSampleSite();
    env = {
      DATABASE_URL: database.url,
      PARAPET_MASTER_KEY: randomBytes(32).toString('base64'),
      PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8,::1/128',
      PARAPET_MANAGEMENT_PORT: '0',
    };
    await start(lastRelease);
    await start(lastRelease);
    clients = await Promise.all(Array.from({ length: organizations }, addClient));
  }, 180_000);
  afterAll(async () => {
    for (const node of nodes) await node.kill('SIGTERM');
    await site?.close();
    await database?.drop();
  });

  async function addClient(): Promise<Client> {
    const operate = async (...parameters: string[]) =>
      JSON.parse(
        (await parapet([...parameters, '--json'], { PATH: process.env.PATH, ...env }, undefined, lastRelease))
          .output,
      );
    const { id } = await operate('organizations', 'create', '--name', 'Acme');
    const key: ClientKey = await operate('keys', 'mint', '--organization', id);
    const create = async (path: string, body: object) =>
      (await call(used[0]!.url, key, 'POST', `/api/v1${path}`, body)).json;
    const { system } = await create('/systems', { name: 'S', environment: 'test', kind: 'site' });
    const website = { system_id: system.id, name: 'W', kind: 'website', host: site.host };
    const { source } = await create('/sources', website);
    await create(`/sources/${source.id}/risk-accept`, {});
    await create(`/sources/${source.id}/authorize-scan`, {});
    return { key, systemId: system.id, sourceId: source.id };
  }

  const written = { systems: 0, events: 0, scans: 0 };

  /** Writes of one client, and what any answer was that is not a success. */
  async function write(client: Client, turn: number): Promise<string[]> {
    const { key, systemId, sourceId, scanId } = client;
    const { url } = used[Math.floor(turn / 3) % used.length]!;
    const event = { id: randomUUID(), kind: 'a.b', occurred_at: new Date().toISOString() };
    const [method, path, body, kind] = [
      ['POST', '/api/v1/systems', { name: `S${turn}`, environment: 'test', kind: 'api' }, 'systems'],
      ['POST', '/functions/v1/events-ingest', { system_id: systemId, events: [event] }, 'events'],
      scanId
        ? ['GET', `/api/v1/scans/${scanId}`]
        : ['POST', '/api/v1/scans', { source_id: sourceId, idempotency_key: randomUUID() }, 'scans'],
    ][turn % 3] as [string, string, object?, (keyof typeof written)?];
    const answer = await call(url, key, method, path, body).catch((error: Error) => ({
      status: 0,
      text: error.message,
      json: undefined,
    }));
    if (answer.status < 200 || answer.status > 202) return [`${path}: ${answer.status} ${answer.text}`];
    if (kind) written[kind] += 1;
    const scan = answer.json?.scan;
    if (scan) client.scanId = ['queued', 'running'].includes(scan.status) ? scan.id : undefined;
    return [];
  }

  function load(): () => Promise<string[]> {
    let isOn = true;
    const writers = clients.map(async (client, index) => {
      let turn = index;
      const failures: string[] = [];
      while (isOn) {
        const next = Date.now() + everyMs;
        failures.push(...(await write(client, turn++)));
        await new Promise(resolve => setTimeout(resolve, Math.max(0, next - Date.now())));
      }
      return failures;
    });
    return async () => {
      isOn = false;
      return [...new Set((await Promise.all(writers)).flat())];
    };
  }

  const afterWrites = (count: number) => {
    const wanted = written.systems + written.events + count;
    return poll('writes', () => written.systems + written.events >= wanted);
  };

  async function replace(old: ServingProcess): Promise<void> {
    used.splice(used.indexOf(old), 1);
    expect(await old.kill('SIGTERM')).toBe(0);
  }

  it('fails no write while nodes of both releases work, and each works on the other’s scans', async () => {
    const [one, other] = nodes as [ServingProcess, ServingProcess];
    const stop = load();
    await afterWrites(organizations);
    const first = await start();
    expect(first.log.join('\n')).toContain('"msg":"migrated"');
    await afterWrites(2 * organizations);
    await replace(one);
    await start();
    await afterWrites(organizations);
    // From here, only a node of the last release has an old worker.
    await replace(other);
    await afterWrites(organizations);
    expect(await stop()).toEqual([]);

    const { rows } = await asOwner(database.connection, client =>
      client.query(`select (select count(*) from systems)::int - ${organizations} as systems,
        (select count(*) from events)::int as events, (select count(*) from scans where not is_own)::int as scans`),
    );
    expect(rows).toEqual([written]);
    await poll('all scans end', async () => {
      const { rows: open } = await asOwner(database.connection, client =>
        client.query(`select from scans where status in ('queued', 'running')`),
      );
      return open.length === 0;
    });
    const { rows: ended } = await asOwner(database.connection, client =>
      client.query(`select distinct status from scans where not is_own`),
    );
    expect(ended).toEqual([{ status: 'completed' }]);
    for (const node of nodes) expect(node.log.filter(line => /"level":(?:50|60)/.test(line))).toEqual([]);
  }, 240_000);
});
