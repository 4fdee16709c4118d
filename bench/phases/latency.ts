import { randomBytes } from 'node:crypto';
import { rareFamily, seedFindings } from '../fixture/findings.ts';
import { seedOrganizations } from '../fixture/organizations.ts';
import { connectAsOwner, type Database, type Postgres } from '../fixture/postgres.ts';
import { Load } from '../load/load.ts';
import { type Latency, measureLatency, type Population } from '../measurements/latency.ts';
import { explainLists, type Plan } from '../measurements/plans.ts';
import type { Scale } from '../scale.ts';
import { startVariant } from '../servers/start.ts';

/** The list queries of each population. */
export const listQueries = [
  'limit=20',
  'limit=100',
  'limit=20&severity=critical',
  'limit=20&status=open',
  'limit=20&severity=critical&status=open',
  'limit=20&category=tls.weak_cipher',
  'limit=20&category=tls',
  // A prefix with only five findings, which are the oldest.
  `limit=20&category=${rareFamily}`,
  'limit=20&category=hipaa',
] as const;

interface OpenPopulation extends Population {
  readonly database: Database;
  readonly organizationId: string;
  close(): Promise<void>;
}

/**
 * Response time and query plans of lists as an organization's findings grow, with one database per number of
 * findings.
 */
export async function latencyPhase(
  postgres: Postgres,
  scale: Scale,
  progress: (line: string) => void,
): Promise<{ latency: Latency[]; plans: Plan[] }> {
  const load = new Load();
  const populations: OpenPopulation[] = [];
  try {
    for (const findings of scale.populations) {
      progress(`seeding ${findings} findings`);
      populations.push(await openPopulation(postgres, load, findings));
    }
    progress('timing the lists');
    const options = { load, rounds: scale.latencyRounds, requests: scale.latencyRequests };
    const latency = await measureLatency(listQueries, populations, options);
    const plans: Plan[] = [];
    for (const { findings, database, organizationId } of [populations[0]!, populations.at(-1)!]) {
      const connection = { ...database.connection, ...database.roles.app };
      plans.push(...(await explainLists({ connection, organizationId, findings }, listQueries)));
    }
    return { latency, plans };
  } finally {
    load.close();
    for (const population of populations) await population.close();
  }
}

async function openPopulation(postgres: Postgres, load: Load, findings: number): Promise<OpenPopulation> {
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  const group = String(findings);
  await load.callers(group, await seedOrganizations(owner, 1));
  await seedFindings(owner, findings);
  const organization = await owner.query<{ id: string }>('select id from organizations');
  // Responses from memory take the same time at any size, so here every list is read from the database.
  const server = await startVariant('changed.ts', {
    name: `changed-${findings}`,
    directory: postgres.directory,
    databaseUrl: database.url,
    masterKey: randomBytes(32).toString('base64'),
  });
  return {
    findings,
    server,
    group,
    database,
    organizationId: organization.rows[0]!.id,
    forgetRequests: async () => void (await owner.query('delete from request_admissions')),
    close: async () => {
      await owner.end();
      await server.stop();
      await database.drop();
    },
  };
}
