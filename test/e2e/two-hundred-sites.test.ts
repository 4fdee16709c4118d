import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authorizedSource, queueScanOfEach } from '../support/authorized-source.ts';
import { startLocalSites } from '../support/local-sites.ts';
import { poll } from '../support/poll.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { ServingProcess } from '../support/serving-process.ts';

const count = 200;
const kills = 5;

let service: TestService;
let local: Awaited<ReturnType<typeof startLocalSites>>;
let worker: ServingProcess | undefined;
beforeAll(async () => {
  service = await startService();
  local = await startLocalSites(count);
});
afterAll(async () => {
  await worker?.kill('SIGTERM');
  await local?.close();
  await service?.close();
});

const masterKey = randomBytes(32).toString('base64');

const startWorker = () => ServingProcess.work(service.database.url, { PARAPET_MASTER_KEY: masterKey });

const ask = async (text: string) =>
  (await asOwner(service.database.connection, client => client.query(text))).rows;

const finishedScans = async () =>
  (await ask('select count(*)::int as n from scans where finished_at is not null'))[0].n as number;

it('finishes all scans, each once and with no finding twice, when its worker is killed five times', {
  timeout: 600_000,
}, async () => {
  const hosts = local.sites.map(({ url }) => url);
  const { person, systemId } = await authorizedSource(service, { host: hosts[0]! });
  await person.transaction(transaction => queueScanOfEach(transaction, systemId, hosts));
  worker = await startWorker();
  for (let kill = 1; kill <= kills; kill += 1) {
    const enough = (count / (kills + 1)) * kill;
    await poll(`${enough} scans to finish`, async () => (await finishedScans()) >= enough || undefined, 240);
    await worker.kill('SIGKILL');
    worker = await startWorker();
  }
  await poll('all scans to finish', async () => (await finishedScans()) === count || undefined, 240);
  const causes = await ask(
    'select cause, count(*)::int as n from scan_runs where cause is not null group by 1',
  );
  expect(
    await ask('select status, count(*)::int as n from scans group by 1'),
    JSON.stringify(causes),
  ).toEqual([{ status: 'completed', n: count }]);
  const [runs] = await ask(`select count(*) filter (where status <> 'succeeded')::int as unsuccessful,
      count(*)::int - count(distinct (scan_id, source_id, detector))::int as twice from scan_runs`);
  expect(runs).toEqual({ unsuccessful: 0, twice: 0 });
  const [findings] =
    await ask(`select count(*)::int - count(distinct (source_id, category, locator))::int as twice,
      count(*) filter (where not observed)::int as closed,
      count(*)::int - (select count(*)::int from finding_episodes) as episodes from findings`);
  expect(findings).toEqual({ twice: 0, closed: 0, episodes: 0 });
  // Sites of one kind are the same, and so are their findings, even if their scan was interrupted.
  const counts =
    await ask(`select s.host, count(f.id)::int as n from sources s left join findings f on f.source_id = s.id
      where s.name = 'W' and s.host = any ('{${local.sites.map(({ url }) => url).join(',')}}') group by 1`);
  for (const kind of ['hardened', 'shop', 'application', 'legacy'] as const) {
    const urls = new Set(local.sites.filter(site => site.kind === kind).map(({ url }) => url));
    const seen = counts.filter(row => urls.has(row.host)).map(row => row.n as number);
    expect(new Set(seen).size, `${kind}: ${seen}`).toBe(1);
    expect(seen[0]).toBeGreaterThan(0);
  }
});
