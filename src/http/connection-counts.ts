import type { Networks } from '../domain/client-network.ts';
import type { TransportLimits } from './transport-limits.ts';

/** The limit that refuses a connection. */
export type RefusedBy = 'address' | 'site' | 'all';

/** Maximum share of all connections for one site (see `networksOf`). */
const partOfSite = 1 / 4;

/** Share of all connections reserved for trusted proxies: clients that bypass them must not block their clients. */
const partOfProxies = 1 / 8;

/** Open connections in total, per address and per site. */
export class ConnectionCounts {
  readonly #mostOf: Record<'everyone' | 'clients' | 'site' | 'address', number>;
  readonly #clients = new Counts();
  readonly #sites = new Counts();
  #ofClients = 0;
  #ofEveryone = 0;

  constructor({
    connections,
    connectionsPerAddress,
  }: Pick<TransportLimits, 'connections' | 'connectionsPerAddress'>) {
    this.#mostOf = {
      everyone: connections,
      clients: connections - Math.floor(connections * partOfProxies),
      site: Math.max(connectionsPerAddress, Math.floor(connections * partOfSite)),
      address: connectionsPerAddress,
    };
  }

  /**
   * The limit that refuses the connection. Without one, it counts until `remove`.
   *
   * @param networks undefined for a trusted proxy
   */
  add(networks: Networks | undefined): RefusedBy | undefined {
    const most = this.#mostOf;
    if (networks && this.#clients.of(networks.client) >= most.address) return 'address';
    if (networks && this.#sites.of(networks.site) >= most.site) return 'site';
    if (networks && this.#ofClients >= most.clients) return 'all';
    if (this.#ofEveryone >= most.everyone) return 'all';
    this.#count(networks, 1);
    return undefined;
  }

  remove(networks: Networks | undefined): void {
    this.#count(networks, -1);
  }

  #count(networks: Networks | undefined, by: 1 | -1): void {
    this.#ofEveryone += by;
    if (!networks) return;
    this.#ofClients += by;
    this.#clients.add(networks.client, by);
    this.#sites.add(networks.site, by);
  }
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
