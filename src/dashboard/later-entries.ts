import { randomInt } from 'node:crypto';

/** Milliseconds after which an entry is written: within the first nobody can tell it from what others do. */
const [soonest, latest] = [500, 1_500];

/** Entries that may wait at a time; what is more is not tried again. */
const most = 10_000;

/**
 * Entries of the audit log that are written some moments later. Written next to an answer they take the processor and the
 * database from whatever the client has sent right behind its request, and the time of that would tell that there was an
 * entry to write.
 */
export class LaterEntries {
  readonly #waiting = new Map<NodeJS.Timeout, () => void>();
  readonly #underWay = new Set<Promise<void>>();
  #closed = false;

  /** @param write does not reject; false where it could not be written yet. It is tried again then, unless it was the last time */
  add(write: (last: boolean) => Promise<boolean>): void {
    const begin = () => {
      this.#waiting.delete(timer);
      const last = this.#closed || this.#waiting.size >= most;
      const written = write(last)
        .then(done => {
          if (!done && !last) this.add(write);
        })
        .finally(() => this.#underWay.delete(written));
      this.#underWay.add(written);
    };
    const timer = setTimeout(begin, randomInt(soonest, latest));
    this.#waiting.set(timer, begin);
    if (this.#closed) this.#beginAll();
  }

  /** Writes at once what still waits. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#beginAll();
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  #beginAll(): void {
    for (const [timer, begin] of [...this.#waiting]) {
      clearTimeout(timer);
      begin();
    }
  }
}
