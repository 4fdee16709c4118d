import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { parseAddress } from '../contract/address-ranges.ts';
import { clientNetwork } from '../domain/client-network.ts';
import type { Metrics } from './metrics.ts';
import type { TransportLimits } from './transport-limits.ts';

/**
 * Refuses connections when there are too many, in all or from one address, before a byte of them is read. Trusted proxies
 * may have any number of the whole: their connections carry other people's requests.
 */
export function capConnections(
  server: Server,
  limits: Pick<TransportLimits, 'connections' | 'connectionsPerAddress'>,
  isProxy: (address: string) => boolean,
  metrics?: Metrics,
): void {
  const counts = new Map<string, number>();
  server.maxConnections = limits.connections;
  server.on('drop', () => metrics?.refusedConnections.inc({ limit: 'all' }));
  server.on('connection', (socket: Socket) => {
    // Read now, the address stays with the socket. Where it was reset already there is none, and nobody to answer: what it has
    // sent would be done in nobody's name.
    const address = parseAddress(socket.remoteAddress ?? '')?.toString();
    if (address === undefined) {
      socket.destroy();
      return;
    }
    const client = isProxy(address) ? undefined : clientNetwork(address);
    const count = client === undefined ? 0 : (counts.get(client) ?? 0);
    if (count >= limits.connectionsPerAddress) {
      metrics?.refusedConnections.inc({ limit: 'address' });
      socket.resetAndDestroy();
      return;
    }
    if (client !== undefined) counts.set(client, count + 1);
    metrics?.connections.inc();
    socket.once('close', () => {
      metrics?.connections.dec();
      if (client === undefined) return;
      const left = counts.get(client)! - 1;
      if (left === 0) counts.delete(client);
      else counts.set(client, left);
    });
  });
}
