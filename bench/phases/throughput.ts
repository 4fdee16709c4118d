import { randomBytes } from 'node:crypto';
import { seedFindings } from '../fixture/findings.ts';
import { idempotencyKey, seedOrganizations } from '../fixture/organizations.ts';
import { connectAsOwner, type Postgres } from '../fixture/postgres.ts';
import { Load } from '../load/load.ts';
import { type ScenarioName, scenarioNames } from '../measurements/results.ts';
import { measureThroughput, type Scenario, type Throughput } from '../measurements/throughput.ts';
import type { Scale } from '../scale.ts';
import { startProduct, startVariant } from '../servers/start.ts';

const list = '/api/v1/findings?limit=20';

/** Requests per second of the product and of the variants it is compared with, on one database. */
export async function throughputPhase(
  postgres: Postgres,
  scale: Scale,
  progress: (line: string) => void,
): Promise<Record<ScenarioName, Throughput>> {
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  const callers = await seedOrganizations(owner, scale.organizations);
  await seedFindings(owner, scale.findingsEach);
  await owner.end();

  const options = (name: string) => ({
    name,
    directory: postgres.directory,
    databaseUrl: database.url,
    masterKey: randomBytes(32).toString('base64'),
  });
  const product = await startProduct(options('product'));
  const verifyOnly = await startVariant('verify-only.ts', options('verify-only'));
  const changed = await startVariant('changed.ts', options('changed'));
  const withoutRowSecurity = await startVariant('without-row-security.ts', options('without-row-security'));
  const selfMade = await startVariant('self-made.ts', options('self-made'));
  const load = new Load();
  const requests: Record<ScenarioName, Omit<Scenario, 'name'>> = {
    verify: { server: verifyOnly, ask: { kind: 'get', target: '/api/v1/systems' } },
    list: { server: changed, ask: { kind: 'get', target: list } },
    unchanged: { server: product, ask: { kind: 'get', target: list } },
    notModified: { server: product, ask: { kind: 'get', target: list, isCurrent: true } },
    listOpen: { server: withoutRowSecurity, ask: { kind: 'get', target: list } },
    selfMade: { server: selfMade, ask: { kind: 'get', target: '/findings', bearer: true } },
    scan: { server: product, ask: { kind: 'scan', idempotencyKey } },
    ingest: { server: product, ask: { kind: 'ingest', events: 100 } },
  };
  const names = Object.keys(scenarioNames) as ScenarioName[];
  try {
    await load.callers('all', callers);
    const measured = await measureThroughput(
      names.map(name => ({ name: scenarioNames[name], ...requests[name] })),
      {
        load,
        postmaster: postgres.postmaster,
        group: 'all',
        ...scale,
        // Every key is looked up once; a batch of events costs as much as a hundred reads.
        warmUp: ({ ask }) => (ask.kind === 'ingest' ? scale.connections : callers.length),
        progress,
      },
    );
    return Object.fromEntries(names.map((name, index) => [name, measured[index]!])) as Record<
      ScenarioName,
      Throughput
    >;
  } finally {
    load.close();
    await Promise.all(
      [product, verifyOnly, changed, withoutRowSecurity, selfMade].map(server => server.stop()),
    );
    await database.drop();
  }
}
