import { setTimeout as pause } from 'node:timers/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { JobCount } from '../database/jobs/job-counts.ts';
import type { PoolUse } from '../database/pool-meter.ts';
import type { ReplicaStatus } from '../database/replica.ts';
import { keptFor } from './kept-for.ts';

/** Reports the database connections of this process. */
export function addPoolMetrics(registry: Registry, pools: () => readonly PoolUse[]): void {
  const registers = [registry];
  new Gauge({
    name: 'parapet_database_connections',
    help: 'Open database connections, by purpose and whether one is in use.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const { pool, used, idle } of pools()) {
        this.set({ pool, state: 'used' }, used);
        this.set({ pool, state: 'idle' }, idle);
      }
    },
  });
  new Gauge({
    name: 'parapet_database_waiting',
    help: 'Calls that wait for a database connection, by purpose.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const { pool, waiting } of pools()) this.set({ pool }, waiting);
    },
  });
  const counter = (name: string, help: string, read: (use: PoolUse) => number) =>
    new Counter({
      name,
      help,
      labelNames: ['pool'],
      registers,
      collect() {
        this.reset();
        for (const use of pools()) this.inc({ pool: use.pool }, read(use));
      },
    });
  counter(
    'parapet_database_waits_total',
    'Calls that have waited for a database connection, by purpose.',
    ({ waits }) => waits,
  );
  counter(
    'parapet_database_wait_seconds_total',
    'How long calls have waited for a database connection in seconds, by purpose.',
    ({ waitedSeconds }) => waitedSeconds,
  );
}

/** Reports how far a replica is behind, and which reads used it. */
export function addReplicaMetrics(registry: Registry, status: () => ReplicaStatus): void {
  const registers = [registry];
  new Gauge({
    name: 'parapet_replica_lag_seconds',
    help: 'How far the replica is behind the primary in seconds; missing while that is unknown.',
    registers,
    collect() {
      const { lagSeconds } = status();
      if (lagSeconds === undefined) this.remove();
      else this.set(lagSeconds);
    },
  });
  new Counter({
    name: 'parapet_replica_reads_total',
    help: 'Reads that a replica may answer, by the server that did.',
    labelNames: ['server'],
    registers,
    collect() {
      this.reset();
      for (const [server, reads] of Object.entries(status().reads)) this.inc({ server }, reads);
    },
  });
}

/** How long counts of jobs are kept, and how long a scrape waits for them, in milliseconds. */
const [keptMs, longestMs] = [5_000, 3_000];

/** Adds what all nodes of an installation report alike: for one of the processes of a node. */
export function addInstallationMetrics(
  registry: Registry,
  system: {
    jobCounts(): Promise<readonly JobCount[]>;
    lastBackups(): Promise<{ any: Date | null }>;
  },
): void {
  addQueueMetrics(registry, () => system.jobCounts());
  addBackupMetrics(registry, () => system.lastBackups());
}

/**
 * Reports the jobs of all nodes, when the metrics are read. While the database does not respond, these are missing, and the others are not.
 */
function addQueueMetrics(registry: Registry, count: () => Promise<readonly JobCount[]>): void {
  const counts = keptFor(keptMs, () => withinReason(count()));
  const registers = [registry];
  new Gauge({
    name: 'parapet_database_up',
    help: '1 if the database answers.',
    registers,
    async collect() {
      this.set((await counts()) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'parapet_jobs',
    help: 'Jobs of all nodes, by queue and whether they wait or run.',
    labelNames: ['queue', 'state'],
    registers,
    async collect() {
      this.reset();
      for (const { queue, waiting, running } of (await counts()) ?? []) {
        this.set({ queue, state: 'waiting' }, waiting);
        this.set({ queue, state: 'running' }, running);
      }
    },
  });
  new Gauge({
    name: 'parapet_jobs_oldest_seconds',
    help: 'Age of the oldest waiting job of all nodes in seconds, by queue.',
    labelNames: ['queue'],
    registers,
    async collect() {
      this.reset();
      for (const { queue, oldestSeconds } of (await counts()) ?? []) this.set({ queue }, oldestSeconds);
    },
  });
}

/** Reports the age of the last backup of the installation: nothing while there is none, or while the database does not respond. */
function addBackupMetrics(registry: Registry, read: () => Promise<{ any: Date | null }>): void {
  const last = keptFor(keptMs, () => withinReason(read()));
  new Gauge({
    name: 'parapet_backup_age_seconds',
    help: 'Age of the last backup of the installation in seconds.',
    registers: [registry],
    async collect() {
      const moment = (await last())?.any;
      if (moment) this.set((Date.now() - moment.getTime()) / 1000);
      else this.remove();
    },
  });
}

/** Undefined if it fails, or takes too long for a scrape. */
async function withinReason<T>(reading: Promise<T>): Promise<T | undefined> {
  const late = new AbortController();
  const timeout = pause(longestMs, undefined, { signal: late.signal }).catch(() => undefined);
  const read = await Promise.race([reading.catch(() => undefined), timeout]);
  late.abort();
  return read;
}
