import { randomInt } from 'node:crypto';

/** Milliseconds after which an entry is written: within the first nobody can tell it from what others do. */
const [soonest, latest] = [500, 1_500];

/**
 * Entries of the audit log that are written some moments later. Written next to an answer they take the processor and the
 * database from whatever the client has sent right behind its request, and the time of that would tell that there was an
 * entry to write.
 */
export class LaterEntries {
  readonly #waiting = new Map<NodeJS.Timeout, () => void>();
  readonly #underWay = new Set<Promise<void>>();

  /** @param write does not reject */
  add(write: () => Promise<void>): void {
    const begin = () => {
      this.#waiting.delete(timer);
      const written = write().finally(() => this.#underWay.delete(written));
      this.#underWay.add(written);
    };
    const timer = setTimeout(begin, randomInt(soonest, latest));
    this.#waiting.set(timer, begin);
  }

  /** Writes at once what still waits. */
  async close(): Promise<void> {
    for (const [timer, begin] of [...this.#waiting]) {
      clearTimeout(timer);
      begin();
    }
    await Promise.all(this.#underWay);
  }
}
