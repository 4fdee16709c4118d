/** Something in memory that a client has to read or to send the rest of. */
export interface Kept {
  readonly bytes: number;
  /** The network that it is kept for. */
  readonly site: string;
  /** Milliseconds since it began. */
  readonly age: number;
  /** Bytes that the client has read or sent in that time. */
  readonly moved: number;
}

/** One that has just begun counts as one that moves 32 KiB a second, twice the least rate. */
const headStart = { moved: 64 * 1024, age: 2_000 };

/**
 * Of the site for which the most is kept, those that hold the most for the longest and move the least, until all others keep no more
 * bytes than the limit: who fills it is cut, however fast, and not whose own is slow.
 */
export function keptTooLong<K extends Kept>(all: readonly K[], limit: number): K[] {
  let sum = all.reduce((bytes, kept) => bytes + kept.bytes, 0);
  if (sum <= limit) return [];
  const weight = ({ bytes, age, moved }: Kept) => (bytes * (age + headStart.age)) / (moved + headStart.moved);
  const sites = new Map<string, { bytes: number; readonly kept: K[] }>();
  // The last of a site is the first to be cut.
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
