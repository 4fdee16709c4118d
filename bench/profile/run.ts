import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changeFindings, seedFindings } from '../fixture/findings.ts';
import { seedOrganizations } from '../fixture/organizations.ts';
import { connectAsOwner, openPostgres } from '../fixture/postgres.ts';
import { Load } from '../load/load.ts';
import { startVariant } from '../servers/start.ts';
import { printSelfTimes, selfTimes } from './self-times.ts';

// Profiles signed requests in the server: `tsx bench/profile/run.ts [--change 1] [--server whole.ts] [--target PATH | --write create]`.
// With `--change`, so many findings of each organization change before each of its requests.

const { values: options } = parseArgs({
  options: {
    server: { type: 'string', default: 'whole.ts' },
    change: { type: 'string', default: '0' },
    target: { type: 'string', default: '/api/v1/findings?limit=20' },
    write: { type: 'string' },
    requests: { type: 'string', default: '20000' },
    functions: { type: 'string', default: '40' },
  },
});
const organizations = 800;
const postgres = await openPostgres();
const load = new Load();
try {
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  const callers = await seedOrganizations(owner, organizations);
  await seedFindings(owner, 20);
  await load.callers('all', callers);
  const server = await startVariant(options.server, {
    name: 'profiled',
    directory: postgres.directory,
    databaseUrl: database.url,
    masterKey: randomBytes(32).toString('base64'),
    nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${join(postgres.directory, 'profile')}`],
  });
  const change = Number(options.change);
  const perRound = change > 0 ? organizations : Number(options.requests);
  const rounds = Math.ceil(Number(options.requests) / perRound);
  const requests = rounds * perRound;
  const bearer = options.server === 'self-made.ts' ? ({ bearer: true } as const) : {};
  const ask = options.write
    ? { kind: options.write as 'create' | 'scan' }
    : ({ kind: 'get', target: options.target, ...bearer } as const);
  const round = { port: server.port, connections: 64, group: 'all', ask };
  // Looks up every key and warms up the compiler, which are not costs of a request.
  await load.run({ ...round, requests: callers.length });
  const since = process.hrtime.bigint();
  let seconds = 0;
  for (let index = 0; index < rounds; index += 1) {
    if (change > 0) await changeFindings(owner, change);
    seconds += (await load.run({ ...round, requests: perRound })).seconds;
  }
  await owner.end();
  await server.stop();
  const folder = join(postgres.directory, 'profile');
  const { packages, functions } = selfTimes(join(folder, (await readdir(folder))[0]!), since);
  process.stdout.write(`${Math.round(requests / seconds)} requests/s, profiled\n`);
  printSelfTimes('by package: share, ms for 1,000 requests', packages.slice(0, 25), requests / 1_000);
  const dearest = functions.slice(0, Number(options.functions));
  printSelfTimes('by function: share, ms for 1,000 requests', dearest, requests / 1_000);
} finally {
  load.close();
  await postgres.close();
}
