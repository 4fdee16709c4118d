import { randomBytes } from 'node:crypto';
import { changeFindings, seedFindings } from '../fixture/findings.ts';
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
    // Each organization sends one request after a change.
    const before = { requests: scale.organizations, run: () => changeFindings(owner, 1) };
    const changed = await measure('changed', { before });
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
