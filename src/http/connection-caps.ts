import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { parseAddress } from '../contract/address-ranges.ts';
import { networksOf } from '../domain/client-network.ts';
import type { Metrics } from './metrics.ts';
import type { TransportLimits } from './transport-limits.ts';

/** Maximum share of all connections for one site (see `networksOf`). */
const partOfSite = 1 / 4;

/** Share of all connections reserved for trusted proxies: clients that bypass them must not block their clients. */
const partOfProxies = 1 / 8;

/**
 * Refuses connections beyond the limits in total, per address and per site, before reading from them. The limits per address and site
 * do not apply to trusted proxies, which carry requests of many clients.
 */
export function capConnections(
  server: Server,
  limits: Pick<TransportLimits, 'connections' | 'connectionsPerAddress'>,
  isProxy: (address: string) => boolean,
  metrics?: Metrics,
): void {
  const { connections, connectionsPerAddress } = limits;
  const connectionsPerSite = Math.max(connectionsPerAddress, Math.floor(connections * partOfSite));
  const connectionsOfClients = connections - Math.floor(connections * partOfProxies);
  let ofAllClients = 0;
  const ofClients = new Counts();
  const ofSites = new Counts();
  server.maxConnections = connections;
  server.on('drop', () => metrics?.refusedConnections.inc({ limit: 'all' }));
  server.on('connection', (socket: Socket) => {
    // Reading the address caches it in the socket. A connection without one was already reset, and must not cause unattributed requests.
    const address = parseAddress(socket.remoteAddress ?? '')?.toString();
    if (address === undefined) {
      socket.destroy();
      return;
    }
    const networks = isProxy(address) ? undefined : networksOf(address);
    const refusedBy = (limit: 'address' | 'site' | 'all') => {
      metrics?.refusedConnections.inc({ limit });
      socket.resetAndDestroy();
    };
    if (networks && ofClients.of(networks.client) >= connectionsPerAddress) return refusedBy('address');
    if (networks && ofSites.of(networks.site) >= connectionsPerSite) return refusedBy('site');
    if (networks && ofAllClients >= connectionsOfClients) return refusedBy('all');
    const count = (by: 1 | -1) => {
      if (!networks) return;
      ofAllClients += by;
      ofClients.add(networks.client, by);
      ofSites.add(networks.site, by);
    };
    count(1);
    metrics?.connections.inc();
    socket.once('close', () => {
      metrics?.connections.dec();
      count(-1);
    });
  });
}

/** Counts by name, without entries for zero. */
class Counts {
  readonly #counts = new Map<string, number>();

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: string, by: 1 | -1): void {
    const count = this.of(name) + by;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}
