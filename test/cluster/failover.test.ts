import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import { operate } from '../support/parapet-process.ts';
import { findPatroni, PatroniCluster } from '../support/patroni.ts';
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from '../support/pgbouncer.ts';
import { poll } from '../support/poll.ts';
import { ServingProcess } from '../support/serving-process.ts';
import type { ClientKey } from '../support/signing-client.ts';
import { httpServer, type TestServer } from '../support/website.ts';
import { Load, type WritingClient } from './load.ts';
import { addSource, type Caller, limitMayHaveBeenReached, mostInOneMinute, Requests } from './requests.ts';

const kills = 10;
type Failure = 'PostgreSQL killed' | 'node killed' | 'node hangs' | 'standby hangs';
/** Every third kill is that of a whole node. At the end, nodes hang, and continue when others have replaced them. */
const failures: readonly Failure[] = [
  ...Array.from({ length: kills }, (_, index) => (index % 3 === 2 ? 'node killed' : 'PostgreSQL killed')),
  'node hangs',
  'standby hangs',
];

/** Until a write through each node is acknowledged. */
const longestSeconds = 30;

const programs = await findPatroni();

describe.runIf(hasPgbouncer() && programs)('on three PostgreSQL nodes of Patroni', () => {
  let cluster: PatroniCluster;
  let pooler: Pgbouncer;
  let env: Record<string, string>;
  let site: TestServer;
  const nodes: ServingProcess[] = [];
  let load: Load;

  beforeAll(async () => {
    cluster = await PatroniCluster.start(programs!);
    pooler = await startPgbouncer(cluster.admin);
    env = {
      DATABASE_URL: cluster.url.replace(/:\d+\/hosted$/, `:${pooler.connection.port}/hosted`),
      DATABASE_POOLER: 'transaction',
      DATABASE_DIRECT_URL: cluster.url,
      PARAPET_MASTER_KEY: randomBytes(32).toString('base64'),
      PARAPET_TARGET_ALLOWLIST: '127.0.0.0/8',
      PARAPET_MANAGEMENT_PORT: 'off',
    };
    // Slow, so that scans are running when the primary is killed.
    site = await httpServer((_request, response) => {
      setTimeout(() => response.end('<!doctype html><title>Site</title>'), 100);
    });
    for (const role of ['api', 'api', 'worker', 'worker'])
      nodes.push(await ServingProcess.serve(env, ['--role', role]));
  });
  afterAll(async () => {
    // If the test failed, clients are still sending.
    await load?.stop();
    await Promise.all(nodes.map(node => node.kill()));
    await site?.close();
    await pooler?.close();
    await cluster?.close();
  });

  /** Keys of a new organization. */
  async function addCallers(count: number): Promise<Caller[]> {
    const { id } = await operate(env, 'organizations', 'create', '--name', 'Acme');
    const callers: Caller[] = [];
    for (let made = 0; made < count; made++) {
      const key: ClientKey = await operate(env, 'keys', 'mint', '--organization', id);
      callers.push({ organization: id, key });
    }
    return callers;
  }

  /** Returns the seconds until each API node has acknowledged a write after a member failed. */
  async function fail(requests: Requests, caller: Caller, failure: Failure): Promise<number> {
    const member = await (failure === 'standby hangs' ? cluster.synchronousStandby() : cluster.primary());
    const failed = Date.now();
    if (failure === 'PostgreSQL killed') await member.killPostgres();
    else if (failure === 'node killed') await member.killAll();
    else await member.signalAll('SIGSTOP');
    if (failure === 'node killed')
      await poll('the outage is known', async () => (await fetch(`${nodes[0]!.url}/readyz`)).status === 503);
    const body = { name: 'Pulse', environment: 'test', kind: 'api' };
    const write = (node: number) =>
      poll(`a write through node ${node}`, () =>
        requests.send(caller, node, 'POST', '/api/v1/systems', body).then(answer => answer?.status === 201),
      );
    await Promise.all([write(0), write(1)]);
    const seconds = (Date.now() - failed) / 1_000;
    const before = requests
      .admitted()
      .filter(({ received }) => received <= failed && received > failed - 5_000);
    expect(before.length).toBeGreaterThan(5);
    for (const [index, request] of before.entries()) {
      const isRefused = await poll('an answer', async () => {
        const refused = await requests.isRefusedAgain(request, index);
        return refused === undefined ? undefined : { refused };
      });
      expect(isRefused).toEqual({ refused: true });
    }
    if (failure === 'node killed') await member.start();
    else await member.signalAll('SIGCONT');
    await cluster.complete();
    return seconds;
  }

  const missing = async (table: string, column: string, ids: ReadonlySet<string>) =>
    (
      await cluster.query(
        `select wanted from unnest($1::text[]) as wanted where not exists (select from ${table} t where t.${column}::text = wanted)`,
        'hosted',
        [[...ids]],
      )
    ).rows;

  it(`loses nothing, and writes again within ${longestSeconds} s, when the primary is killed ${kills} times under load`, async () => {
    const requests = new Requests(nodes.slice(0, 2).map(({ url }) => url));
    load = new Load(requests);
    const writing: WritingClient[] = [];
    for (const caller of (await Promise.all(Array.from({ length: 6 }, () => addCallers(1)))).flat())
      writing.push({
        ...caller,
        ...(await addSource(nodes[0]!.url, caller.key, `http://127.0.0.1:${site.port}/`)),
      });
    const [pulse] = await addCallers(1);
    const oneKey = await addCallers(1);
    const manyKeys = await addCallers(6);
    load.start(writing, [...oneKey, ...manyKeys]);

    const seconds: number[] = [];
    for (const failure of failures) {
      const count = load.acknowledged.scans.size;
      await poll('scans', () => load.acknowledged.scans.size > count);
      const took = await fail(requests, pulse!, failure);
      process.stdout.write(`${failure}: writes after ${took.toFixed(1)} s\n`);
      seconds.push(took);
    }
    await load.stop();
    expect(requests.strange).toEqual([]);
    expect(seconds.filter(took => took > longestSeconds)).toEqual([]);

    const { systems, events, scans } = load.acknowledged;
    expect(await missing('systems', 'external_id', systems)).toEqual([]);
    expect(await missing('events', 'id', events)).toEqual([]);
    expect(await missing('scans', 'id', scans)).toEqual([]);

    expect(load.twice).toEqual([]);
    const of = (callers: readonly Caller[]) =>
      requests.all.filter(({ key }) => callers.some(caller => caller.key === key));
    const [ofOne, ofMany] = [of(oneKey), of(manyKeys)];
    expect(mostInOneMinute(ofOne)).toBeLessThanOrEqual(limits.keyRequestsPerMinute);
    expect(mostInOneMinute(ofMany)).toBeLessThanOrEqual(limits.organizationRequestsPerMinute);
    for (const limited of [ofOne, ofMany])
      expect(limited.filter(({ outcome }) => outcome === 'refused').length).toBeGreaterThan(kills);
    for (const caller of manyKeys)
      expect(mostInOneMinute(of([caller]))).toBeLessThanOrEqual(limits.keyRequestsPerMinute);
    const wrongly = requests.all.filter(
      request =>
        request.outcome === 'refused' &&
        !limitMayHaveBeenReached(request, of([request]), limits.keyRequestsPerMinute) &&
        !limitMayHaveBeenReached(
          request,
          requests.all.filter(({ organization }) => organization === request.organization),
          limits.organizationRequestsPerMinute,
        ),
    );
    expect(wrongly).toEqual([]);

    const unfinished = "select from scans where status in ('queued', 'running')";
    await poll('all scans end', async () => (await cluster.query(unfinished)).rowCount === 0);
    const ended = await cluster.query(
      `select distinct s.status, r.status as run from scans s left join scan_runs r on r.scan_id = s.id where not s.is_own`,
    );
    expect(ended.rows).toEqual([{ status: 'completed', run: 'succeeded' }]);
    const doubled = 'select from findings group by source_id, category, locator having count(*) > 1';
    expect((await cluster.query(doubled)).rowCount).toBe(0);

    const { checks } = await operate(env, 'doctor');
    expect(checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
    expect((await operate(env, 'admin')).attention).toEqual([]);
    const serious = nodes.flatMap(({ log }) => log.filter(line => /"level":(?:50|60)/.test(line)));
    expect(serious.filter(line => !line.includes('"msg":"database.unavailable"'))).toEqual([]);
    expect(nodes.map(({ child }) => child.exitCode)).toEqual([null, null, null, null]);
    process.stdout.write(
      `kept ${systems.size} systems, ${events.size} events and ${scans.size} scans; refused ${load.replayed} replays\n`,
    );
  });
});
