import type { Logger } from 'pino';
import { buildServer } from '../api/server.ts';
import { addDashboard } from '../dashboard/dashboard.ts';
import { OidcProvider } from '../dashboard/sign-in/oidc.ts';
import { allDetectors } from '../detectors/catalogue.ts';
import type { App } from '../http/app.ts';
import type { Metrics } from '../http/metrics.ts';
import type { Storage } from '../resources/storage.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { credentialProblems } from '../scan/credential-problems.ts';
import { type Configuration, ConfigurationError } from './configuration.ts';
import { domainProver } from './prove-domain.ts';
import { connectionTester } from './test-connection.ts';
import { version } from './version.ts';

interface ServerParts {
  readonly storage: Storage;
  /** Where targets are connected to. */
  readonly sandbox: Sandbox;
  /** How scans present themselves to targets. */
  readonly userAgent: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The API and the dashboard, listening. Throws a `ConfigurationError` where it may not listen. */
export async function startServer(
  configuration: Configuration,
  { storage, sandbox, userAgent, logger, metrics }: ServerParts,
): Promise<App> {
  const { brand, publicPrefix, publicUrl, trustedProxies, privilegedConnections } = configuration;
  const testConnection = connectionTester({ sandbox, privilegedConnections });
  const services = { storage, testConnection, credentialProblems, privilegedConnections };
  const detectors = allDetectors();
  const domainProof = domainProver(sandbox);
  const offered = { ...services, domainProof, detectors, publicUrl, publicPrefix, brand, version };
  const server = await buildServer({
    services,
    logger,
    brand,
    publicPrefix,
    publicUrl,
    version,
    trustedProxies,
    metrics,
    transport: {
      connections: configuration.maxConnections,
      connectionsPerAddress: configuration.maxConnectionsPerAddress,
    },
    guides: { detectors, userAgent },
    add: app => addDashboard(app, { ...offered, ...signInProvider(configuration) }),
  });
  await listen(server, configuration);
  return server;
}

function signInProvider({ oidc, publicUrl }: Configuration): { oidc?: OidcProvider } {
  return oidc ? { oidc: new OidcProvider(oidc, `${publicUrl}/dashboard/api/oidc/finish`) } : {};
}

async function listen(server: App, { host, port }: Configuration): Promise<void> {
  try {
    await server.listen({ host, port, listenTextResolver: address => `listening at ${address}` });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new ConfigurationError(`Port ${port} on ${host} is taken: choose another with --port`);
    if (code === 'EACCES')
      throw new ConfigurationError(`This user may not listen on port ${port}: choose one above 1023`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new ConfigurationError(
        `This machine has no address ${host} to listen on: choose another with --host`,
      );
    }
    throw error;
  }
}
