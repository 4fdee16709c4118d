import { randomBytes } from 'node:crypto';
import { tasksPerProcess } from '../../src/sandbox/limits.ts';
import { connectAsOwner, type Postgres } from '../fixture/postgres.ts';
import { openStorage } from '../fixture/scans.ts';
import type { ScanResults } from '../measurements/results.ts';
import { inspectionTimes, measureScans, medianRate, type ScanRate } from '../measurements/scans.ts';
import { Forked } from '../processes/forked.ts';
import { peakMegabytes } from '../processes/memory.ts';
import type { Scale } from '../scale.ts';
import { startWorker } from '../servers/start.ts';
import type { CollectCommand, Collected } from '../sites/collect.ts';
import { serveSites } from '../sites/served-sites.ts';

/** Typical latency within a continent. */
const delayMs = 50;

/**
 * Scans of websites by one worker, alternating with the same inspections without the control plane, and with
 * their requests only.
 */
export async function scanPhase(
  postgres: Postgres,
  scale: Pick<Scale, 'sites' | 'sitesAway' | 'scanRounds'>,
  progress: (line: string) => void,
): Promise<ScanResults> {
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  const storage = await openStorage(database);
  const near = await serveSites(scale.sites, 0);
  const away = await serveSites(scale.sitesAway, delayMs);
  const collector = new Forked<CollectCommand, Collected>(new URL('../sites/collect.ts', import.meta.url));
  const worker = await startWorker({
    name: 'worker',
    directory: postgres.directory,
    databaseUrl: database.url,
    masterKey: randomBytes(32).toString('base64'),
  });
  const scan = (served: typeof near) => {
    const processes = { worker: worker.pid, postmaster: postgres.postmaster, sites: served.pid };
    return measureScans({ storage, owner, processes }, served.sites);
  };
  try {
    const requested = await near.pathsRequestedBy(sites =>
      collector.tell({ kind: 'inspect', sites, atOnce: 1 }),
    );
    const collect = async (kind: CollectCommand['kind']): Promise<ScanRate> => {
      const sites = near.sites.map(site => ({ url: site.url, paths: requested[site.kind] }));
      const before = near.cpuSeconds();
      const { seconds, cpuSeconds } = await collector.tell({
        kind,
        sites,
        atOnce: 2 * tasksPerProcess,
      });
      const each = (total: number) => (total * 1_000) / sites.length;
      return {
        sitesPerMinute: (sites.length * 60) / seconds,
        workerCpu: each(cpuSeconds),
        planningCpu: 0,
        postgresCpu: 0,
        sitesCpu: each(near.cpuSeconds() - before),
      };
    };
    const rounds = [];
    // The first round warms up the compiler and does not count.
    for (let round = 0; round <= scale.scanRounds; round++) {
      progress(`scanning ${scale.sites} websites, ${round} of ${scale.scanRounds}`);
      rounds.push({
        scanned: await scan(near),
        inspected: await collect('inspect'),
        requested: await collect('request'),
      });
    }
    const counted = rounds.slice(1);
    progress(`scanning ${scale.sitesAway} websites that answer after ${delayMs} ms`);
    const farther = await scan(away);
    const requests = Object.values(requested).flat().length / Object.keys(requested).length;
    return {
      sites: scale.sites,
      scanned: medianRate(counted.map(({ scanned }) => scanned)),
      inspected: medianRate(counted.map(({ inspected }) => inspected)),
      requested: medianRate(counted.map(({ requested }) => requested)),
      requests,
      inspections: inspectionTimes(counted.map(({ scanned }) => scanned)),
      away: {
        sites: scale.sitesAway,
        delayMs,
        scanned: medianRate([farther]),
        inspections: inspectionTimes([farther]),
      },
      peakMegabytes: peakMegabytes(worker.pid),
    };
  } finally {
    collector.close();
    await worker.stop();
    near.close();
    away.close();
    await storage.close(0);
    await owner.end();
    await database.drop();
  }
}
