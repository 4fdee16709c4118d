import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { addPerson } from '../../test/support/people.ts';
import { seedFindings } from '../fixture/findings.ts';
import { seedOrganizations } from '../fixture/organizations.ts';
import { connectAsOwner, type Postgres } from '../fixture/postgres.ts';
import { openStorage } from '../fixture/scans.ts';
import type { Caller } from '../load/caller.ts';
import { Load } from '../load/load.ts';
import { type WriteResults, writeNames } from '../measurements/results.ts';
import { measureThroughput, type Scenario } from '../measurements/throughput.ts';
import { measureWriters } from '../measurements/writers.ts';
import type { Scale } from '../scale.ts';
import { type Server, startProduct } from '../servers/start.ts';

/** Within the organization's limit of a minute. */
const ofOneOrganization = 290;

/** Requests that change data, and how long the writers of one organization wait for each other. */
export async function writePhase(
  postgres: Postgres,
  scale: Scale,
  progress: (line: string) => void,
): Promise<WriteResults> {
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  const callers = await seedOrganizations(owner, scale.organizations);
  await seedFindings(owner, scale.findingsEach);
  const load = new Load();
  const server = await startProduct({
    name: 'writes',
    directory: postgres.directory,
    databaseUrl: database.url,
    masterKey: randomBytes(32).toString('base64'),
  });
  const storage = await openStorage(database);
  try {
    await load.callers('all', callers);
    const systemId = callers[0]!.systemId;
    await load.callers(
      'one',
      callers.filter(caller => caller.systemId === systemId),
    );
    await load.callers(
      'people',
      await seedPeople(owner, { server, storage }, callers.slice(0, scale.connections)),
    );
    const forget = async () => void (await owner.query('delete from request_admissions'));
    const scenarios: Record<keyof typeof writeNames, Omit<Scenario, 'name' | 'server'>> = {
      create: { ask: { kind: 'create' } },
      createInOne: {
        ask: { kind: 'create' },
        group: 'one',
        before: { requests: ofOneOrganization, run: forget },
      },
      scan: { ask: { kind: 'scan' } },
      triage: { ask: { kind: 'triage' }, group: 'people' },
    };
    const names = Object.keys(writeNames) as (keyof typeof writeNames)[];
    const measured = await measureThroughput(
      names.map(name => ({ name: writeNames[name], server, ...scenarios[name] })),
      {
        load,
        postmaster: postgres.postmaster,
        group: 'all',
        ...scale,
        warmUp: ({ before }) => before?.requests ?? 1_000,
        progress,
      },
    );
    progress('64 writers of one organization');
    const { rounds, roundSeconds } = scale;
    const writers = await measureWriters(owner, database, {
      postmaster: postgres.postmaster,
      rounds,
      seconds: roundSeconds,
    });
    return { requests: measured, writers };
  } finally {
    load.close();
    await server.stop();
    await storage.close(0);
    await owner.end();
    await database.drop();
  }
}

/** An owner of each caller's organization, and its newest finding. */
async function seedPeople(
  owner: pg.Client,
  { server, storage }: { server: Server; storage: Awaited<ReturnType<typeof openStorage>> },
  callers: readonly Caller[],
): Promise<Caller[]> {
  const { rows } = await owner.query<{ organizationId: string; systemId: string; findingId: string }>(
    `select distinct on (system_id) organization_id as "organizationId", system_id as "systemId", id as "findingId"
      from findings where system_id = any($1) order by system_id, created_at desc`,
    [callers.map(({ systemId }) => systemId)],
  );
  const node = { url: `http://127.0.0.1:${server.port}`, storage };
  return Promise.all(
    callers.map(async caller => {
      const { organizationId, findingId } = rows.find(({ systemId }) => systemId === caller.systemId)!;
      const { client } = await addPerson(node, organizationId, 'owner');
      return { ...caller, person: { organizationId, findingId, cookie: client.cookie!, csrf: client.csrf! } };
    }),
  );
}
