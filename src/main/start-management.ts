import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createManagementServer } from '../http/management-server.ts';
import type { Metrics } from '../http/metrics.ts';
import { type Configuration, ConfigurationError } from './configuration.ts';
import { listeningUrl } from './listening-url.ts';

export interface Management {
  readonly url: string;
  close(): void;
}

/** Where tools find it unless the operator says otherwise. A second service on one machine takes a free port instead. */
const usualPort = 9464;

/** The management port, listening; undefined where it is off. Throws a `ConfigurationError` where it may not listen. */
export async function startManagement(
  { managementPort, managementHost: host }: Configuration,
  metrics: Metrics,
  assertReady: () => Promise<void>,
): Promise<Management | undefined> {
  if (managementPort === 'off') return undefined;
  const server = createManagementServer({ metrics, assertReady, host });
  const listen = async (port: number) => {
    server.listen({ host, port });
    await once(server, 'listening');
  };
  try {
    await listen(managementPort ?? usualPort).catch(error => {
      if (managementPort !== undefined || error.code !== 'EADDRINUSE') throw error;
      return listen(0);
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isAddress = code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND';
    const variable = isAddress ? 'PARAPET_MANAGEMENT_HOST' : 'PARAPET_MANAGEMENT_PORT';
    const remedy = isAddress ? 'choose another' : 'choose another, or off';
    throw new ConfigurationError(
      `${variable}: cannot listen on ${host}, port ${managementPort ?? usualPort} (${code}): ${remedy}`,
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
