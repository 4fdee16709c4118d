/** An unfinished request or unread answer in memory. */
export interface Kept {
  readonly bytes: number;
  /** The network of the client (see `networksOf`). */
  readonly site: string;
  /** Milliseconds since its start, or since its progress counts. */
  readonly age: number;
  /** Bytes that the client has read or sent in that time. */
  readonly moved: number;
}

/** A new transfer counts as one of 32 KiB per second, twice the minimum rate. */
const headStart = { moved: 64 * 1024, age: 2_000 };

/**
 * Selects transfers to abort until the rest fits the limit. They are taken from the site with the most bytes, largest and slowest first:
 * the site that fills the limit is cut, not a slow client of another site.
 */
export function keptTooLong<K extends Kept>(all: readonly K[], limit: number): K[] {
  let sum = all.reduce((bytes, kept) => bytes + kept.bytes, 0);
  if (sum <= limit) return [];
  const weight = ({ bytes, age, moved }: Kept) => (bytes * (age + headStart.age)) / (moved + headStart.moved);
  const sites = new Map<string, { bytes: number; readonly kept: K[] }>();
  // The last transfer of a site is cut first.
  for (const kept of all.toSorted((one, other) => weight(one) - weight(other))) {
    const site = sites.get(kept.site) ?? { bytes: 0, kept: [] };
    site.bytes += kept.bytes;
    site.kept.push(kept);
    sites.set(kept.site, site);
  }
  const ended: K[] = [];
  while (sum > limit) {
    const most = [...sites.values()].reduce((one, other) => (other.bytes > one.bytes ? other : one));
    const kept = most.kept.pop()!;
    most.bytes -= kept.bytes;
    sum -= kept.bytes;
    ended.push(kept);
  }
  return ended;
}
