import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createSystem } from '../../src/resources/systems/systems.ts';
import { doWhatIsDue } from '../../src/worker/tasks/do-what-is-due.ts';
import { connectAsOwner, type Postgres } from '../fixture/postgres.ts';
import { openStorage } from '../fixture/scans.ts';
import { everySource } from '../fixture/watches.ts';
import type { ScheduleResults } from '../measurements/results.ts';
import { familyCpuSeconds } from '../processes/cpu-time.ts';
import type { Scale } from '../scale.ts';

/** Watched sources, each scanned every hour. */
const sources = 20_000;

/** As a worker has it. */
const everyMs = 5_000;

/**
 * What planning the scans of hourly watched sources takes: this process does what a worker does every few seconds, and nothing else. The
 * scans are queued and not run.
 */
export async function schedulePhase(
  postgres: Postgres,
  { scheduleSeconds }: Pick<Scale, 'scheduleSeconds'>,
  progress: (line: string) => void,
): Promise<ScheduleResults> {
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  const storage = await openStorage(database);
  try {
    const results: ScheduleResults['rows'][number][] = [];
    for (const organizations of [20, 4]) {
      progress(`planning ${sources} hourly sources of ${organizations} organizations`);
      await owner.query('delete from watches');
      for (let each = 0; each < organizations; each++) {
        const { id } = await storage.system.createOrganization('Bench', { kind: 'operator', id: 'bench' });
        const person = storage.tenant(id, { kind: 'person', id: randomBytes(16).toString('hex') });
        await person.transaction(async transaction => {
          const system = await createSystem(transaction, {
            name: 'Sites',
            environment: 'test',
            kind: 'site',
          });
          await transaction.query(everySource(system.id, sources / organizations));
        });
      }
      await owner.query('vacuum analyze');
      const failures: unknown[] = [];
      const services = {
        storage,
        privilegedConnections: false,
        log: (...failure: unknown[]) => void failures.push(failure),
      };
      // The first turn compiles, plans and fills caches.
      await doWhatIsDue(services, 0);
      const planned = async () =>
        (await owner.query<{ n: number }>('select count(*)::int as n from scans')).rows[0]!.n;
      const before = { scans: await planned(), ...cpu(postgres) };
      const began = performance.now();
      while (performance.now() - began < scheduleSeconds * 1_000) {
        // Before the first turn too, in which nothing would be due otherwise.
        await pause(everyMs);
        await doWhatIsDue(services, 0);
      }
      const after = { scans: await planned(), ...cpu(postgres) };
      if (failures.length > 0) throw new Error(`not planned: ${JSON.stringify(failures[0])}`);
      const scans = after.scans - before.scans;
      results.push({
        organizations,
        scans,
        worker: (after.worker - before.worker) / scans,
        postgres: (after.postgres - before.postgres) / scans,
      });
    }
    return { sources, rows: results };
  } finally {
    await storage.close(0);
    await owner.end();
    await database.drop();
  }
}

function cpu({ postmaster }: Postgres) {
  const { user, system } = process.cpuUsage();
  return { worker: (user + system) / 1e6, postgres: familyCpuSeconds(postmaster) };
}
