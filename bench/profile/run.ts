import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seedFindings } from '../fixture/findings.ts';
import { seedOrganizations } from '../fixture/organizations.ts';
import { connectAsOwner, openPostgres } from '../fixture/postgres.ts';
import { Load } from '../load/load.ts';
import { startVariant } from '../servers/start.ts';
import { printSelfTimes, selfTimes } from './self-times.ts';

// Profiles signed requests in the server: `tsx bench/profile/run.ts [--server changed.ts] [--target PATH | --write create]`.

const { values: options } = parseArgs({
  options: {
    server: { type: 'string', default: 'changed.ts' },
    target: { type: 'string', default: '/api/v1/findings?limit=20' },
    write: { type: 'string' },
    requests: { type: 'string', default: '20000' },
    functions: { type: 'string', default: '40' },
  },
});
const postgres = await openPostgres();
const load = new Load();
try {
  const database = await postgres.createDatabase();
  const owner = await connectAsOwner(database);
  const callers = await seedOrganizations(owner, 800);
  await seedFindings(owner, 20);
  await owner.end();
  await load.callers('all', callers);
  const server = await startVariant(options.server, {
    name: 'profiled',
    directory: postgres.directory,
    databaseUrl: database.url,
    masterKey: randomBytes(32).toString('base64'),
    nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${join(postgres.directory, 'profile')}`],
  });
  const requests = Number(options.requests);
  const bearer = options.server === 'self-made.ts' ? ({ bearer: true } as const) : {};
  const ask = options.write
    ? { kind: options.write as 'create' | 'scan' }
    : ({ kind: 'get', target: options.target, ...bearer } as const);
  const round = { port: server.port, connections: 64, group: 'all', ask };
  // Looks up every key and warms up the compiler, which are not costs of a request.
  await load.run({ ...round, requests: callers.length });
  let since = 0n;
  const outcome = await load.run({ ...round, requests }, () => {
    since = process.hrtime.bigint();
  });
  await server.stop();
  const folder = join(postgres.directory, 'profile');
  const { packages, functions } = selfTimes(join(folder, (await readdir(folder))[0]!), since);
  process.stdout.write(`${Math.round(requests / outcome.seconds)} requests/s, profiled\n`);
  printSelfTimes('by package: share, ms for 1,000 requests', packages.slice(0, 25), requests / 1_000);
  const dearest = functions.slice(0, Number(options.functions));
  printSelfTimes('by function: share, ms for 1,000 requests', dearest, requests / 1_000);
} finally {
  load.close();
  await postgres.close();
}
