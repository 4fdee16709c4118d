import { randomInt } from 'node:crypto';

/** Milliseconds after which an entry is written: within the first nobody can tell it from what others do. */
const [soonest, latest] = [500, 1_500];

/** Does not reject. False where it could not be written yet: it is tried again then, unless it was the last time. */
type Write = (last: boolean) => Promise<boolean>;

/** Entries that may wait at a time; what is more is not tried again. */
const most = 10_000;

/**
 * Entries of the audit log that are written some moments later. Written next to an answer they take the processor and the
 * database from whatever the client has sent right behind its request, and the time of that would tell that there was an
 * entry to write.
 */
export class LaterEntries {
  readonly #waiting = new Map<NodeJS.Timeout, Write>();
  readonly #underWay = new Set<Promise<void>>();
  /** Once it closes, what is not under way: two at a time would stand in each other's line, and one be refused. */
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

  /** Writes what still waits, one after another: those that are refused now would be lost. */
  async close(): Promise<void> {
    const left = [...this.#waiting.values()];
    this.#left = left;
    for (const timer of this.#waiting.keys()) clearTimeout(timer);
    this.#waiting.clear();
    // What is under way may have to be tried again.
    while (this.#underWay.size + left.length > 0) {
      await Promise.all(this.#underWay);
      for (const write of left.splice(0)) await write(true);
    }
  }
}
