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
  readonly distinct: {
    readonly paths: Set<number>;
    readonly networks: Set<number>;
    readonly rules: Set<number>;
  };
}
interface Minute {
  readonly groups: Map<string, Counted & { readonly request: StrippedRequest }>;
  readonly others: Map<
    string,
    OtherCounted & { readonly of: Pick<StrippedRequest, 'host' | 'action' | 'attack'> }
  >;
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
 * by host, action and attack: of the first 50 such groups, and then without a host. Every request is counted once.
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
    const window: Minute = this.#minutes.get(start) ?? { groups: new Map(), others: new Map() };
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

  #addOther({ others }: Minute, { path, network, rule, ...request }: StrippedRequest, at: number): void {
    const { action, attack } = request;
    const keyOf = (host: string | null) => JSON.stringify([host, action, attack]);
    // Attackers choose hosts, but actions and classes are few.
    const isKept = others.has(keyOf(request.host)) || others.size < shieldBounds.others / 2;
    const host = isKept ? request.host : null;
    let other = others.get(keyOf(host));
    if (other === undefined) {
      const distinct = { paths: new Set<number>(), networks: new Set<number>(), rules: new Set<number>() };
      other = { of: { host, action, attack }, distinct, count: 0, first: at, last: at };
      others.set(keyOf(host), other);
    }
    count(other, at);
    note(other.distinct.paths, path);
    note(other.distinct.networks, network);
    note(other.distinct.rules, rule?.id ?? null);
  }

  /** Returns what was counted since the last call, by minute. */
  take(): RequestWindow[] {
    const windows = [...this.#minutes].map(([start, { groups, others }]) => ({
      from: timestampOf(new Date(start)),
      to: timestampOf(new Date(start + minute)),
      groups: [...groups.values()].map(({ request, ...counted }) => ({ ...request, ...shown(counted) })),
      others: [...others.values()].map(({ of, distinct, ...counted }) => ({
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
  distinct.add(createHash('sha256').update(value).digest().readUIntBE(0, 6));
}
