import { readFile } from 'node:fs/promises';
import { hostname, networkInterfaces } from 'node:os';
import type { InventoryEvent } from '../contract/probe-events.ts';
import { normalizeHost, portsOf } from '../domain/host.ts';
import { hostNameOf } from '../domain/host-name.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Target } from './configuration.ts';
import { addressesOf } from './target-addresses.ts';

type Seen = InventoryEvent['seen'][number];
type SeenKind = 'postgres' | 'mysql' | 'redis' | 'website';

/** Ports that others than these seldom listen on. A website is one on both of its ports. */
const ports: readonly (readonly [kind: SeenKind, ports: readonly number[]])[] = [
  ['postgres', [5432]],
  ['postgres', [5433]],
  ['postgres', [5434]],
  ['mysql', [3306]],
  ['mysql', [3307]],
  ['redis', [6379]],
  ['redis', [6380]],
  ['website', [443, 80]],
];

const known = new Set(ports.flatMap(([, some]) => some));

/** Names and addresses of every machine for itself. */
const local = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/;

/**
 * Databases and websites that listen on this machine and are no targets, by the kernel's list of sockets (proc_net(5)).
 * Nothing is connected to. Empty where the list does not exist.
 */
export class Inventory {
  readonly #targets: readonly Target[];
  readonly #tables: readonly string[];
  #ports: string | undefined;
  #reported = '';

  /** @param tables files with the kernel's lists */
  constructor(targets: readonly Target[], tables: readonly string[] = ['/proc/net/tcp', '/proc/net/tcp6']) {
    this.#targets = targets;
    this.#tables = tables;
  }

  /** The current list; undefined if it is the same as before. */
  async changed(): Promise<Seen[] | undefined> {
    const tables = await Promise.all(this.#tables.map(file => readFile(file, 'utf8').catch(() => '')));
    const listening = listeningPorts(tables.join('\n'));
    const ports = [...listening].sort((a, b) => a - b).join();
    // Resolves the names of all targets.
    if (ports === this.#ports) return undefined;
    const own = Object.values(networkInterfaces()).flatMap(list => list?.map(({ address }) => address) ?? []);
    const here = await targetsHere(this.#targets, { name: hostname(), addresses: new Set(own) });
    const seen = unknownServices(listening, here, hostname());
    const text = JSON.stringify(seen);
    const isSame = text === this.#reported;
    [this.#ports, this.#reported] = [ports, text];
    return isSame ? undefined : seen;
  }
}

/** The targets that are on a machine, by its name and addresses. */
export async function targetsHere<T extends Pick<Target, 'host'>>(
  targets: readonly T[],
  machine: { readonly name: string; readonly addresses: ReadonlySet<string> },
): Promise<T[]> {
  const isHere = await Promise.all(
    targets.map(async ({ host }) => {
      if (hostNameOf(host) === machine.name.toLowerCase()) return true;
      const addresses = await addressesOf(host);
      return addresses.some(address => local.test(address) || machine.addresses.has(address));
    }),
  );
  return targets.filter((_, index) => isHere[index]);
}

/** The known ports with a listening socket. @param table text of /proc/net/tcp */
export function listeningPorts(table: string): ReadonlySet<number> {
  const found = new Set<number>();
  for (const line of table.split('\n')) {
    const [, address = '', , state] = line.trim().split(/ +/);
    const port = Number.parseInt(address.split(':').at(-1)!, 16);
    if (state === '0A' && known.has(port)) found.add(port);
  }
  return found;
}

/** @param targets those on this machine */
export function unknownServices(
  listening: ReadonlySet<number>,
  targets: readonly Pick<Target, 'kind' | 'host'>[],
  name: string,
): Seen[] {
  return ports.flatMap(([kind, [first, ...others]]): Seen[] => {
    const port = [first!, ...others].find(candidate => listening.has(candidate));
    if (port === undefined) return [];
    try {
      const host = normalizeHost(kind, `${name}:${port}`);
      const isTarget = targets.some(
        target => target.kind === kind && (kind === 'website' || portsOf(kind, target.host).includes(port)),
      );
      return isTarget ? [] : [{ kind, host, via: 'listening_socket' }];
    } catch (error) {
      // The machine's name is not a host name.
      if (error instanceof Refusal) return [];
      throw error;
    }
  });
}
