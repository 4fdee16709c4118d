import type { Logger } from 'pino';
import { buildServer } from '../api/server.ts';
import type { ApiServices } from '../api/services.ts';
import { addDashboard } from '../dashboard/dashboard.ts';
import { OidcProvider } from '../dashboard/sign-in/oidc.ts';
import { allDetectors } from '../detectors/catalogue.ts';
import type { Tracer } from '../domain/tracing.ts';
import { version } from '../domain/version.ts';
import type { App } from '../http/app.ts';
import type { CountedTogether } from '../http/connection-caps.ts';
import type { Metrics } from '../http/metrics.ts';
import type { Readiness } from '../http/readiness.ts';
import { defaultTransportLimits } from '../http/transport-limits.ts';
import type { Storage } from '../resources/storage.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { credentialProblems } from '../scan/credential-problems.ts';
import { depthOfFinding } from '../scan/plan.ts';
import { blockedAddress } from '../surfaces/connection/target-allowlist.ts';
import type { Configuration } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';
import { domainProver } from './prove-domain.ts';
import { connectionTester } from './test-connection.ts';

interface ServerParts {
  readonly storage: Storage;
  /** Runs connection tests and domain proofs. */
  readonly sandbox: Sandbox;
  /** User-Agent of scan requests. */
  readonly userAgent: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly tracer: Tracer | undefined;
  /** Processes that share the port and the memory of this machine. */
  readonly processes: number;
  readonly together: CountedTogether | undefined;
}

/** Starts the API and the dashboard. Throws a `ConfigurationError` if they cannot listen. */
export async function startServer(
  configuration: Configuration,
  { storage, sandbox, userAgent, logger, metrics, readiness, tracer, processes, together }: ServerParts,
): Promise<App> {
  const { brand, publicPrefix, publicUrl, trustedProxies, privilegedConnections } = configuration;
  const testConnection = connectionTester({ sandbox, privilegedConnections });
  const countEvents: NonNullable<ApiServices['countEvents']> = (channel, counts) => {
    for (const [outcome, count] of Object.entries(counts)) metrics.events.inc({ channel, outcome }, count);
  };
  const isBlockedAddress = blockedAddress(configuration.targetAllowlist);
  const services = {
    storage,
    testConnection,
    credentialProblems,
    privilegedConnections,
    countEvents,
  };
  const detectors = allDetectors();
  const domainProof = domainProver(sandbox);
  const offered = {
    ...services,
    isBlockedAddress,
    domainProof,
    depthOfFinding,
    detectors,
    sendsMail: configuration.smtp !== undefined,
    publicUrl,
    publicPrefix,
    brand,
    version,
  };
  const server = await buildServer({
    services,
    logger,
    brand,
    publicPrefix,
    publicUrl,
    version,
    trustedProxies,
    metrics,
    readiness,
    tracer,
    transport: {
      connections: configuration.maxConnections,
      connectionsPerAddress: configuration.maxConnectionsPerAddress,
      unreadBytes: shareOf(defaultTransportLimits.unreadBytes, processes),
      unfinishedBytes: shareOf(defaultTransportLimits.unfinishedBytes, processes),
    },
    together,
    guides: { detectors, userAgent },
    add: app => addDashboard(app, { ...offered, ...signInProvider(configuration) }),
  });
  await listen(server, configuration);
  return server;
}

/** Bytes in memory of one of several processes. One large answer or upload must always fit. */
function shareOf(bytes: number, processes: number): number {
  return Math.max(bytes / 8, Math.floor(bytes / processes));
}

function signInProvider({ oidc, publicUrl }: Configuration): { oidc?: OidcProvider } {
  return oidc ? { oidc: new OidcProvider(oidc, `${publicUrl}/dashboard/api/oidc/finish`) } : {};
}

async function listen(server: App, { host, port }: Configuration): Promise<void> {
  try {
    await server.listen({ host, port, listenTextResolver: () => 'listening' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new ConfigurationError(`port ${port} on ${host} is in use. Choose another with --port`);
    if (code === 'EACCES')
      throw new ConfigurationError(`permission denied for port ${port}. Choose a port above 1023`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new ConfigurationError(`${host} is not an address of this machine. Choose another with --host`);
    }
    throw error;
  }
}
