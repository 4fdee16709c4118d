import { randomBytes } from 'node:crypto';
import { seedFindings } from '../fixture/findings.ts';
import { seedOrganizations } from '../fixture/organizations.ts';
import { connectAsOwner, type Postgres } from '../fixture/postgres.ts';
import { Load } from '../load/load.ts';
import { measureThroughput, type Scenario, type Throughput } from '../measurements/throughput.ts';
import type { Scale } from '../scale.ts';
import { startProduct } from '../servers/start.ts';

/** Numbers of API processes of one node. */
export const numbersOfProcesses = [1, 2, 4] as const;

export interface ProcessThroughput {
  readonly processes: number;
  readonly unchanged: Throughput;
  readonly changed: Throughput;
}

/** The signed list from the product with one and with several processes, in alternation. */
export async function processPhase(
  postgres: Postgres,
  scale: Scale,
  progress: (line: string) => void,
): Promise<ProcessThroughput[]> {
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  const callers = await seedOrganizations(owner, scale.organizations);
  await seedFindings(owner, scale.findingsEach);
  await owner.query("set session_replication_role = 'origin'");
  const load = new Load();
  const servers = await Promise.all(
    numbersOfProcesses.map(processes =>
      startProduct(
        {
          name: `${processes}-processes`,
          directory: postgres.directory,
          databaseUrl: database.url,
          masterKey,
        },
        processes,
      ),
    ),
  );
  const ask = { kind: 'get', target: '/api/v1/findings?limit=20' } as const;
  /** Changes a finding of each organization, which then sends one request. */
  const change = async () => {
    await owner.query(`update findings set updated_at = now() where id in (
      select distinct on (organization_id) id from findings order by organization_id, created_at desc)`);
    await owner.query(`insert into data_versions (organization_id, subject, shard, version)
      select id, 'findings', 0, 1 from organizations
      on conflict (organization_id, subject, shard) do update set version = data_versions.version + 1`);
  };
  const measure = (data: string, more: Partial<Scenario>) =>
    measureThroughput(
      servers.map((server, index) => ({
        name: `${numbersOfProcesses[index]} processes, ${data}`,
        server,
        ask,
        ...more,
      })),
      {
        load,
        postmaster: postgres.postmaster,
        group: 'all',
        ...scale,
        // Each process looks up keys, keeps the list of every organization, and compiles its code.
        warmUp: ({ server }) => callers.length * numbersOfProcesses[servers.indexOf(server)]! * 2,
        progress,
      },
    );
  try {
    await load.callers('all', callers);
    // One after the other: a change empties what the processes keep in memory.
    const unchanged = await measure('unchanged', {});
    const changed = await measure('changed', { requests: scale.organizations, prepare: change });
    return numbersOfProcesses.map((processes, index) => ({
      processes,
      unchanged: unchanged[index]!,
      changed: changed[index]!,
    }));
  } finally {
    load.close();
    await Promise.all(servers.map(server => server.stop()));
    await owner.end();
    await database.drop();
  }
}

const masterKey = randomBytes(32).toString('base64');
