import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createManagementServer } from '../http/management-server.ts';
import type { MetricsText } from '../http/metrics.ts';
import type { ReadinessStatus } from '../http/readiness.ts';
import type { Configuration } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';
import { listeningUrl } from './listening-url.ts';

export interface Management {
  readonly url: string;
  close(): void;
}

/** If it is in use, as by a second service on the machine, a free port is used instead. */
const defaultPort = 9464;

/** Starts the management server; undefined when it is off. Throws a `ConfigurationError` if it cannot listen. */
export async function startManagement(
  { managementPort, managementHost: host }: Configuration,
  metrics: MetricsText,
  readiness: () => Promise<ReadinessStatus>,
): Promise<Management | undefined> {
  if (managementPort === 'off') return undefined;
  const server = createManagementServer({ metrics, readiness, host });
  const listen = async (port: number) => {
    server.listen({ host, port });
    await once(server, 'listening');
  };
  try {
    await listen(managementPort ?? defaultPort).catch(error => {
      if (managementPort !== undefined || error.code !== 'EADDRINUSE') throw error;
      return listen(0);
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isAddress = code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND';
    const variable = isAddress ? 'PARAPET_MANAGEMENT_HOST' : 'PARAPET_MANAGEMENT_PORT';
    const remedy = isAddress ? 'Choose another address' : 'Choose another port, or off';
    throw new ConfigurationError(
      `${variable}: cannot listen on ${host}, port ${managementPort ?? defaultPort} (${code}). ${remedy}`,
    );
  }
  return {
    url: listeningUrl(server.address() as AddressInfo),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
