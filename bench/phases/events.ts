import { randomBytes } from 'node:crypto';
import { seedEvents } from '../fixture/events.ts';
import { seedOrganizations } from '../fixture/organizations.ts';
import { connectAsOwner, type Postgres } from '../fixture/postgres.ts';
import { openStorage } from '../fixture/scans.ts';
import { Load } from '../load/load.ts';
import { measureEventPages } from '../measurements/event-pages.ts';
import {
  type EventRate,
  measureBulkInsert,
  measureProbes,
  medianRate,
  type Target,
} from '../measurements/event-rates.ts';
import type { EventResults } from '../measurements/results.ts';
import type { EventScale } from '../scale.ts';
import { startProduct } from '../servers/start.ts';

/** Probes that send at once, and the requests of each in a round: it may send 60 per minute. */
const fleets = [
  { probes: 1, requests: 50 },
  { probes: 8, requests: 30 },
  { probes: 64, requests: 10 },
] as const;

/** Rows of one bulk insert. */
const bulk = 100_000;

/** Few events beside many. */
const few = 10_000;

/** An organization has five keys, each with a fifth of its requests. */
const ofOneOrganization = { group: 'one', probes: 5, requests: 8 };

interface Open extends Target {
  seed(events: number): Promise<void>;
  close(): Promise<void>;
  readonly pages: (rounds: number) => ReturnType<typeof measureEventPages>;
}

/** Rates of ingest, its cost with few and many stored events, and the time of the events page. */
export async function eventPhase(
  postgres: Postgres,
  scale: EventScale,
  progress: (line: string) => void,
): Promise<EventResults> {
  const fleetRates = new Map<number | 'bulk', EventRate[]>();
  const note = (name: number | 'bulk', rate: EventRate) => {
    fleetRates.set(name, [...(fleetRates.get(name) ?? []), rate]);
  };
  const many = await openDatabase(postgres, 'events');
  const other = await openDatabase(postgres, 'few-events');
  try {
    for (let round = -1; round < scale.rounds; round++) {
      for (const { probes, requests } of fleets) {
        const rate = await measureProbes(many, { group: String(probes), probes, requests });
        // The first round warms up.
        if (round >= 0) note(probes, rate);
        progress(`events of ${probes} probes: ${rate.eventsPerSecond.toFixed(0)}/s`);
      }
      const rate = await measureBulkInsert(many.owner, postgres.postmaster, bulk);
      if (round >= 0) note('bulk', rate);
    }
    progress(`seeding ${scale.stored} events`);
    await many.seed(scale.stored);
    const costs = [few, scale.stored].flatMap(stored =>
      [false, true].map(randomIds => ({ stored, randomIds, rates: [] as EventRate[] })),
    );
    for (let round = 0; round < scale.costRounds; round++) {
      for (const { stored, randomIds, rates } of costs) {
        if (stored === few) await other.seed(few);
        rates.push(await measureProbes(stored === few ? other : many, { ...ofOneOrganization, randomIds }));
      }
    }
    progress('timing the events page');
    return {
      stored: scale.stored,
      fleets: fleets.map(({ probes }) => ({ probes, ...medianRate(fleetRates.get(probes)!) })),
      bulk: medianRate(fleetRates.get('bulk')!),
      costs: costs.map(({ stored, randomIds, rates }) => ({ stored, randomIds, ...medianRate(rates) })),
      pages: await many.pages(scale.pageRounds),
    };
  } finally {
    await many.close();
    await other.close();
  }
}

async function openDatabase(postgres: Postgres, name: string): Promise<Open> {
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  const callers = await seedOrganizations(owner, 64);
  const load = new Load();
  // Consecutive callers belong to different organizations; those of one follow each other at this distance.
  for (const { probes } of fleets) await load.callers(String(probes), callers.slice(64, 64 + probes));
  await load.callers(
    'one',
    callers.filter(({ systemId }) => systemId === callers[0]!.systemId),
  );
  const { rows } = await owner.query<{ id: string }>(
    'select organization_id as id from systems where id = $1',
    [callers[0]!.systemId],
  );
  const organizationId = rows[0]!.id;
  const server = await startProduct({
    name,
    directory: postgres.directory,
    databaseUrl: database.url,
    masterKey: randomBytes(32).toString('base64'),
  });
  return {
    server,
    postmaster: postgres.postmaster,
    load,
    owner,
    seed: events => seedEvents(owner, database, organizationId, events),
    pages: async rounds => {
      const storage = await openStorage(database);
      try {
        const store = storage.tenant(organizationId, { kind: 'service', id: 'bench' });
        const [system] = await store.queryOnce<{ id: string }>({
          text: "select id from systems where name = 'System 3'",
        });
        return await measureEventPages(store, system!.id, postgres.postmaster, rounds);
      } finally {
        await storage.close(0);
      }
    },
    close: async () => {
      load.close();
      await owner.end();
      await server.stop();
      await database.drop();
    },
  };
}
