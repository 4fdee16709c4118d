/** Something in memory that a client has to read or to send the rest of. */
export interface Kept {
  readonly bytes: number;
  /** Milliseconds since it began. */
  readonly age: number;
  /** Bytes that the client has read or sent in that time. */
  readonly moved: number;
}

/** One that has just begun counts as one that moves 32 KiB a second, twice the least rate. */
const headStart = { moved: 64 * 1024, age: 2_000 };

/** Those that hold the most for the longest and move the least, until the others keep no more bytes than the limit. */
export function keptTooLong<K extends Kept>(all: readonly K[], limit: number): K[] {
  let sum = all.reduce((bytes, kept) => bytes + kept.bytes, 0);
  if (sum <= limit) return [];
  const weight = ({ bytes, age, moved }: Kept) => (bytes * (age + headStart.age)) / (moved + headStart.moved);
  const ended: K[] = [];
  for (const kept of all.toSorted((one, other) => weight(other) - weight(one))) {
    if (sum <= limit) break;
    sum -= kept.bytes;
    ended.push(kept);
  }
  return ended;
}
