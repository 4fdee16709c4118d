import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { parseAddress } from '../contract/address-ranges.ts';
import { type Networks, networksOf } from '../domain/client-network.ts';
import { ConnectionCounts, type RefusedBy } from './connection-counts.ts';
import type { Metrics } from './metrics.ts';
import type { TransportLimits } from './transport-limits.ts';

/** Counts the connections of all processes that share a port. */
export interface CountedTogether {
  /**
   * Counts a connection of this process until the returned function is called. `refuse` is called soon if it exceeds a limit.
   *
   * @param networks undefined for a trusted proxy
   */
  opened(networks: Networks | undefined, refuse: (limit: RefusedBy) => void): () => void;
}

/**
 * Refuses connections beyond the limits in total, per address and per site, before reading from them. The limits per address and site
 * do not apply to trusted proxies, which carry requests of many clients.
 */
export function capConnections(
  server: Server,
  limits: Pick<TransportLimits, 'connections' | 'connectionsPerAddress'>,
  isProxy: (address: string) => boolean,
  { metrics, together }: { readonly metrics?: Metrics; readonly together?: CountedTogether | undefined } = {},
): void {
  const counts = new ConnectionCounts(limits);
  server.maxConnections = limits.connections;
  server.on('drop', () => metrics?.refusedConnections.inc({ limit: 'all' }));
  server.on('connection', (socket: Socket) => {
    // Reading the address caches it in the socket. A connection without one was already reset, and must not cause unattributed requests.
    const address = parseAddress(socket.remoteAddress ?? '')?.toString();
    if (address === undefined) {
      socket.destroy();
      return;
    }
    const networks = isProxy(address) ? undefined : networksOf(address);
    const refuse = (limit: RefusedBy) => {
      metrics?.refusedConnections.inc({ limit });
      socket.resetAndDestroy();
    };
    const limit = counts.add(networks);
    if (limit) return refuse(limit);
    const closed = together?.opened(networks, refuse);
    metrics?.connections.inc();
    socket.once('close', () => {
      metrics?.connections.dec();
      counts.remove(networks);
      closed?.();
    });
  });
}
