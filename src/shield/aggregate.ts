import { createHash } from 'node:crypto';
import { type OtherRequests, type RequestGroup, shieldBounds } from '../contract/shield-events.ts';
import { timestampOf } from '../domain/timestamp.ts';
import type { StrippedRequest } from './strip/strip-request.ts';

const minute = 60_000;
/** Of all minutes: then what was counted has to be taken. */
const maxGroups = 2_000;
const maxMinutes = 500;

interface Counted {
  count: number;
  first: number;
  last: number;
}
interface OtherCounted extends Counted {
  readonly of: Pick<StrippedRequest, 'host' | 'action' | 'attack'>;
  readonly distinct: {
    readonly paths: Set<number>;
    readonly networks: Set<number>;
    readonly rules: Set<number>;
  };
}
type Others = Map<string, OtherCounted>;
interface Minute {
  readonly groups: Map<string, Counted & { readonly request: StrippedRequest }>;
  /** Of hosts, and of all others together: actions and classes are few, but clients choose hosts. */
  readonly ofHosts: Others;
  readonly ofOthers: Others;
}

/** What happened in one minute. */
export interface RequestWindow {
  readonly from: string;
  readonly to: string;
  readonly groups: RequestGroup[];
  readonly others: OtherRequests[];
}

/**
 * Counts requests by minute. Memory is bounded: of each minute, 200 groups of equal requests are kept apart, and further ones are counted
 * by host, action and attack: 50 such groups, and the others without a host. A new group takes the place of the smallest one, so that
 * invented hosts cannot displace a website with more requests than each of them. Every request is counted once.
 */
export class Aggregate {
  readonly #minutes = new Map<number, Minute>();
  #groups = 0;

  /** Whether `take` is due to bound memory. */
  get isFull(): boolean {
    return this.#groups >= maxGroups || this.#minutes.size >= maxMinutes;
  }

  add(request: StrippedRequest, at: number): void {
    const start = at - (at % minute);
    const window: Minute = this.#minutes.get(start) ?? {
      groups: new Map(),
      ofHosts: new Map(),
      ofOthers: new Map(),
    };
    this.#minutes.set(start, window);
    const key = JSON.stringify(request);
    let group = window.groups.get(key);
    if (group === undefined) {
      if (window.groups.size >= shieldBounds.groups) {
        this.#addOther(window, request, at);
        return;
      }
      group = { request, count: 0, first: at, last: at };
      window.groups.set(key, group);
      this.#groups += 1;
    }
    count(group, at);
  }

  #addOther({ ofHosts, ofOthers }: Minute, request: StrippedRequest, at: number): void {
    const { host, path, network, rule } = request;
    const kept = host === null ? ofOthers : ofHosts;
    if (kept === ofHosts && !ofHosts.has(keyOf(request)) && ofHosts.size >= shieldBounds.others / 2)
      forgetSmallest(ofHosts, ofOthers);
    const other = groupOf(kept, request, at);
    count(other, at);
    note(other.distinct.paths, path);
    note(other.distinct.networks, network);
    note(other.distinct.rules, rule?.id ?? null);
  }

  /** Returns what was counted since the last call, by minute. */
  take(): RequestWindow[] {
    const windows = [...this.#minutes].map(([start, { groups, ofHosts, ofOthers }]) => ({
      from: timestampOf(new Date(start)),
      to: timestampOf(new Date(start + minute)),
      groups: [...groups.values()].map(({ request, ...counted }) => ({ ...request, ...shown(counted) })),
      others: [...ofHosts.values(), ...ofOthers.values()].map(({ of, distinct, ...counted }) => ({
        ...of,
        paths: distinct.paths.size,
        networks: distinct.networks.size,
        rules: distinct.rules.size,
        ...shown(counted),
      })),
    }));
    this.#minutes.clear();
    this.#groups = 0;
    return windows;
  }
}

const keyOf = ({ host, action, attack }: OtherCounted['of']) => JSON.stringify([host, action, attack]);

function groupOf(others: Others, { host, action, attack }: OtherCounted['of'], at: number): OtherCounted {
  const of = { host, action, attack };
  const known = others.get(keyOf(of));
  if (known) return known;
  const distinct = { paths: new Set<number>(), networks: new Set<number>(), rules: new Set<number>() };
  const added = { of, distinct, count: 0, first: at, last: at };
  others.set(keyOf(of), added);
  return added;
}

/** Adds the smallest group, of equal ones the oldest, to those without a host. */
function forgetSmallest(ofHosts: Others, ofOthers: Others): void {
  const [key, smallest] = [...ofHosts].reduce((one, other) => (other[1].count < one[1].count ? other : one));
  ofHosts.delete(key);
  const others = groupOf(ofOthers, { ...smallest.of, host: null }, smallest.first);
  others.count += smallest.count;
  others.first = Math.min(others.first, smallest.first);
  others.last = Math.max(others.last, smallest.last);
  for (const name of ['paths', 'networks', 'rules'] as const)
    for (const hash of smallest.distinct[name]) addTo(others.distinct[name], hash);
}

function count(counted: Counted, at: number): void {
  counted.count += 1;
  counted.first = Math.min(counted.first, at);
  counted.last = Math.max(counted.last, at);
}

const shown = ({ count, first, last }: Counted) => ({
  count,
  first_at: timestampOf(new Date(first)),
  last_at: timestampOf(new Date(last)),
});

/** Remembers 48 bits of a hash of each value instead of the value. */
function note(distinct: Set<number>, value: string | null): void {
  if (value === null || distinct.size >= shieldBounds.distinct) return;
  addTo(distinct, createHash('sha256').update(value).digest().readUIntBE(0, 6));
}

function addTo(distinct: Set<number>, hash: number): void {
  if (distinct.size < shieldBounds.distinct) distinct.add(hash);
}
