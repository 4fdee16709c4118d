import { pino } from 'pino';
import { type ClientSettings, readClientSettings } from '../../cli/settings.ts';
import { dashboardScopes } from '../../contract/keys.ts';
import { mintApiKey } from '../../resources/keys/mint-api-key.ts';
import { readConfiguration } from '../configuration.ts';
import { createLogger } from '../logger.ts';
import { operator } from '../operator.ts';
import { type Service, startService } from '../service.ts';

/**
 * Starts the service in the folder, on a free loopback port. It ignores the environment: the demo must not write to the
 * database in DATABASE_URL or need the keys of a real service.
 *
 * @param targetAllowlist in the form of PARAPET_TARGET_ALLOWLIST
 */
export async function startThrowAwayService(
  folder: string,
  targetAllowlist: string,
  signal: AbortSignal,
): Promise<Service> {
  const environment = { PARAPET_TARGET_ALLOWLIST: targetAllowlist, PARAPET_MANAGEMENT_PORT: 'off' };
  const configuration = readConfiguration(environment, { port: '0', host: '127.0.0.1', data: folder });
  // Errors only: the full log would bury the demo's output.
  const logger = createLogger('error', pino.destination({ dest: 2, sync: true }));
  signal.addEventListener('abort', () => {
    logger.level = 'silent';
  });
  return startService(configuration, 'all', logger);
}

/** The environment of a client, as `keys mint` prints it. */
export interface ClientEnvironment {
  readonly PARAPET_URL: string;
  readonly PARAPET_TOKEN: string;
  readonly PARAPET_TOKEN_ID: string;
  readonly PARAPET_SIGNING_KEY: string;
}

/** Does the same as `organizations create` and `keys mint`. */
export async function mintClient(
  { storage, url }: Service,
  organizationName: string,
): Promise<{
  organizationId: string;
  environment: ClientEnvironment;
  settings: ClientSettings;
  scopes: readonly string[];
}> {
  const organization = await storage.system.createOrganization(organizationName, operator);
  const key = await storage
    .tenant(organization.id, operator)
    .transaction(transaction =>
      mintApiKey(transaction, { kind: 'dashboard', systemId: null, scopes: dashboardScopes }),
    );
  const environment = {
    PARAPET_URL: url!,
    PARAPET_TOKEN: key.token,
    PARAPET_TOKEN_ID: key.token_id,
    PARAPET_SIGNING_KEY: key.signing_key,
  };
  const settings = readClientSettings({ ...environment });
  return { organizationId: organization.id, environment, settings, scopes: key.scopes };
}
