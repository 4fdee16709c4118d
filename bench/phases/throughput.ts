import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { changeFindings, seedFindings } from '../fixture/findings.ts';
import { idempotencyKey, seedOrganizations } from '../fixture/organizations.ts';
import { connectAsOwner, type Database, type Postgres } from '../fixture/postgres.ts';
import type { Caller } from '../load/caller.ts';
import { Load } from '../load/load.ts';
import { type ScenarioName, scenarioNames } from '../measurements/results.ts';
import { measureThroughput, type Scenario, type Throughput } from '../measurements/throughput.ts';
import type { Scale } from '../scale.ts';
import { type Server, type StartOptions, startProduct, startVariant } from '../servers/start.ts';

const list = '/api/v1/findings?limit=20';

/** Requests per second of the product and of the variants it is compared with. */
export async function throughputPhase(
  postgres: Postgres,
  scale: Scale,
  progress: (line: string) => void,
): Promise<Record<ScenarioName, Throughput>> {
  // Servers keep in memory what was not changed: each kind of change has its own database.
  const still = await openPopulated('still', postgres, scale);
  const changing = await openPopulated('changing', postgres, scale);
  const renewed = await openPopulated('renewed', postgres, scale);
  const options = (name: string, { database }: Populated): StartOptions => ({
    name,
    directory: postgres.directory,
    databaseUrl: database.url,
    masterKey: randomBytes(32).toString('base64'),
  });
  const servers: Server[] = [];
  const started = async (server: Promise<Server>) => {
    servers.push(await server);
    return server;
  };
  const product = await started(startProduct(options('product', still)));
  const changed = await started(startProduct(options('changed', changing)));
  const allChanged = await started(startProduct(options('all-changed', renewed)));
  const open = await started(
    startVariant('without-row-security.ts', options('without-row-security', renewed)),
  );
  const verifyOnly = await started(startVariant('verify-only.ts', options('verify-only', still)));
  const selfMade = await started(startVariant('self-made.ts', options('self-made', still)));
  const get = { kind: 'get', target: list } as const;
  /** Every organization sends one request after this many of its findings have changed. */
  const afterChange = (
    server: Server,
    { name, owner }: Populated,
    findings: number,
  ): Omit<Scenario, 'name'> => ({
    server,
    ask: get,
    group: name,
    before: { requests: scale.organizations, run: () => changeFindings(owner, findings) },
  });
  const requests: Record<ScenarioName, Omit<Scenario, 'name'>> = {
    verify: { server: verifyOnly, ask: { kind: 'get', target: '/api/v1/systems' } },
    list: afterChange(changed, changing, 1),
    listAll: afterChange(allChanged, renewed, scale.findingsEach),
    listOpen: afterChange(open, renewed, scale.findingsEach),
    unchanged: { server: product, ask: get },
    notModified: { server: product, ask: { ...get, isCurrent: true } },
    selfMade: { server: selfMade, ask: { kind: 'get', target: '/findings', bearer: true } },
    scan: { server: product, ask: { kind: 'scan', idempotencyKey } },
    ingest: { server: product, ask: { kind: 'ingest', events: 100 } },
  };
  const names = Object.keys(scenarioNames) as ScenarioName[];
  const load = new Load();
  try {
    for (const { name, callers } of [still, changing, renewed]) await load.callers(name, callers);
    const measured = await measureThroughput(
      names.map(name => ({ name: scenarioNames[name], ...requests[name] })),
      {
        load,
        postmaster: postgres.postmaster,
        group: still.name,
        ...scale,
        // Every key is looked up once; a batch of events costs as much as a hundred reads.
        warmUp: ({ ask }) => (ask.kind === 'ingest' ? scale.connections : still.callers.length),
        progress,
      },
    );
    return Object.fromEntries(names.map((name, index) => [name, measured[index]!])) as Record<
      ScenarioName,
      Throughput
    >;
  } finally {
    load.close();
    await Promise.all(servers.map(server => server.stop()));
    for (const { owner, database } of [still, changing, renewed]) {
      await owner.end();
      await database.drop();
    }
  }
}

interface Populated {
  readonly name: string;
  readonly database: Database;
  readonly owner: pg.Client;
  readonly callers: readonly Caller[];
}

async function openPopulated(name: string, postgres: Postgres, scale: Scale): Promise<Populated> {
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  const callers = await seedOrganizations(owner, scale.organizations);
  await seedFindings(owner, scale.findingsEach);
  return { name, database, owner, callers };
}
