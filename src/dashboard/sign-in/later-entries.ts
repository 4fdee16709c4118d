import { randomInt } from 'node:crypto';

/** Delay in milliseconds, random within this range, so that entries cannot be attributed to a request by timing. */
const [soonest, latest] = [500, 1_500];

/** Must not reject. Returns false if the entry could not be written: it is retried, unless this was the last attempt. */
type Write = (last: boolean) => Promise<boolean>;

/** Maximum waiting entries. Beyond it, entries are not retried. */
const most = 10_000;

/**
 * Audit entries written with a delay. Written next to a response, they would slow down the next request of the client, and
 * its timing would reveal that an entry was written.
 */
export class LaterEntries {
  readonly #waiting = new Map<NodeJS.Timeout, Write>();
  readonly #underWay = new Set<Promise<void>>();
  /** Entries to write while closing. Two concurrent writes would compete for one queue, and one could be refused. */
  #left: Write[] | undefined;

  add(write: Write): void {
    if (this.#left) {
      this.#left.push(write);
      return;
    }
    const timer = setTimeout(
      () => {
        this.#waiting.delete(timer);
        this.#begin(write);
      },
      randomInt(soonest, latest),
    );
    this.#waiting.set(timer, write);
  }

  #begin(write: Write): void {
    const last = this.#waiting.size >= most;
    const written = write(last)
      .then(done => {
        if (!done && !last) this.add(write);
      })
      .finally(() => this.#underWay.delete(written));
    this.#underWay.add(written);
  }

  /** Writes the waiting entries one by one: an entry that is refused now would be lost. */
  async close(): Promise<void> {
    const left = [...this.#waiting.values()];
    this.#left = left;
    for (const timer of this.#waiting.keys()) clearTimeout(timer);
    this.#waiting.clear();
    // Running writes may have to be retried.
    while (this.#underWay.size + left.length > 0) {
      await Promise.all(this.#underWay);
      for (const write of left.splice(0)) await write(true);
    }
  }
}
