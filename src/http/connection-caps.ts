import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { parseAddress } from '../contract/address-ranges.ts';
import { networksOf } from '../domain/client-network.ts';
import type { Metrics } from './metrics.ts';
import type { TransportLimits } from './transport-limits.ts';

/** A site, which is one organization's network, may have this part of all connections. */
const partOfSite = 1 / 4;

/** This part of all is kept for trusted proxies: who reaches the port beside them must not keep out everybody that comes by them. */
const partOfProxies = 1 / 8;

/**
 * Refuses connections when there are too many, in all, from one address or from one site, before a byte of them is read. Trusted proxies
 * may have any number of the whole, and a part for themselves: their connections carry other people's requests.
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
    // Read now, the address stays with the socket. Where it was reset already there is none, and nobody to answer: what it has
    // sent would be done in nobody's name.
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

/** How many there are of each, of which there is any. */
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
