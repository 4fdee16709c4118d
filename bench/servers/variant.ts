import { pino } from 'pino';
import { buildServer } from '../../src/api/server.ts';
import { connectionFromUrl } from '../../src/database/connection-url.ts';
import { migrate } from '../../src/database/migrate.ts';
import { givenKeyRing } from '../../src/resources/credentials/key-ring.ts';
import { parseMasterKey } from '../../src/resources/credentials/master-key.ts';
import { Storage } from '../../src/resources/storage.ts';
import { credentialProblems } from '../../src/scan/credential-problems.ts';

export const logger = pino({ level: 'info', base: { pid: process.pid } });
export const connection = connectionFromUrl(process.env.DATABASE_URL!);

type Services = Parameters<typeof buildServer>[0]['services'];

/** Runs the real server with parts of the storage replaced, until it is stopped. */
export async function serveVariant(
  replace: (storage: Storage) => Partial<Services['storage']>,
): Promise<void> {
  const { roles } = await migrate(connection);
  const keyRing = givenKeyRing(parseMasterKey(process.env.PARAPET_MASTER_KEY!));
  const onError = (error: unknown) => logger.error(error);
  const storage = new Storage({ connection, roles, keyRing, works: false, onError });
  const replaced = {
    system: storage.system,
    guard: storage.guard,
    lookups: storage.lookups,
    outages: storage.outages,
    vault: storage.vault,
    events: storage.events,
    tenant: storage.tenant.bind(storage),
    ...replace(storage),
  };
  const testConnection: Services['testConnection'] = () => Promise.reject(new Error('not measured'));
  const services = { storage: replaced, testConnection, credentialProblems, privilegedConnections: false };
  const server = await buildServer({
    services,
    logger,
    brand: 'service',
    publicPrefix: '',
    publicUrl: undefined,
    trustedProxies: [],
    version: 'bench',
    guides: { detectors: [], userAgent: 'bench' },
  });
  logger.info({ url: await server.listen({ host: '127.0.0.1', port: 0 }) }, 'ready');
  process.once('SIGTERM', () => {
    server.server.closeAllConnections();
    void server.close().then(() => storage.close(0));
  });
}

/** The real guard, with a new data version for every request. */
export function alwaysChanged({ guard }: Storage): Services['storage']['guard'] {
  let version = 0;
  const admit: typeof guard.admit = async request => {
    const admission = await guard.admit(request);
    return typeof admission === 'string' ? admission : { dataVersion: String(++version) };
  };
  return { admit } as typeof guard;
}
