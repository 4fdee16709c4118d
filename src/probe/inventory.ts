import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { InventoryEvent } from '../contract/probe-events.ts';
import { normalizeHost } from '../domain/host.ts';
import { hostNameOf } from '../domain/host-name.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Target } from './configuration.ts';

type Seen = InventoryEvent['seen'][number];

/** Ports that only databases usually listen on. */
const ports: ReadonlyMap<number, 'postgres' | 'mysql'> = new Map([
  [5432, 'postgres'],
  [5433, 'postgres'],
  [5434, 'postgres'],
  [3306, 'mysql'],
  [3307, 'mysql'],
]);

/** Names of this machine in a target. */
const local = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/;

/**
 * Databases that listen on this machine and are no targets, by the kernel's list of sockets (proc_net(5)). Nothing is
 * connected to. Empty where the list does not exist.
 */
export async function listeningDatabases(targets: readonly Target[], name = hostname()): Promise<Seen[]> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map(file => readFile(file, 'utf8').catch(() => '')),
  );
  return unknownDatabases(listeningPorts(tables.join('\n')), targets, name);
}

/** The ports with a listening socket. @param table text of /proc/net/tcp */
export function listeningPorts(table: string): ReadonlySet<number> {
  const found = new Set<number>();
  for (const line of table.split('\n')) {
    const [, address = '', , state] = line.trim().split(/ +/);
    if (state === '0A') found.add(Number.parseInt(address.split(':').at(-1)!, 16));
  }
  return found;
}

export function unknownDatabases(
  listening: ReadonlySet<number>,
  targets: readonly Target[],
  name: string,
): Seen[] {
  const isTarget = (kind: string, port: number) =>
    targets.some(target => {
      const host = hostNameOf(target.host);
      const given = Number(/:(\d+)$/.exec(target.host)?.[1] ?? (target.kind === 'mysql' ? 3306 : 5432));
      return target.kind === kind && given === port && (local.test(host) || host === name.toLowerCase());
    });
  return [...ports].flatMap(([port, kind]): Seen[] => {
    if (!listening.has(port) || isTarget(kind, port)) return [];
    try {
      return [{ kind, host: normalizeHost(kind, `${name}:${port}`), via: 'listening_socket' }];
    } catch (error) {
      // The machine's name is not a host name.
      if (error instanceof Refusal) return [];
      throw error;
    }
  });
}
