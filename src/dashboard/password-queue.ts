import { Refusal } from '../domain/refusal.ts';

/** Who waits, in the order in which they go: known browsers and links, who has worked for the attempt, and all others. */
const lines = ['first', 'paid', 'others'] as const;
type Line = (typeof lines)[number];

/**
 * Lets a number of works go on at once and a number wait in each line; beyond that it refuses at once with `too_busy`, so that
 * a flood takes neither the processor nor memory.
 */
export class PasswordQueue {
  #free: number;
  readonly #longest: number;
  readonly #lines: Record<Line, (() => void)[]> = { first: [], paid: [], others: [] };

  constructor(atOnce: number, longest: number) {
    this.#free = atOnce;
    this.#longest = longest;
  }

  /** Whether `run` would refuse now. */
  isFull(line: Line): boolean {
    return this.#free === 0 && this.#lines[line].length >= this.#longest;
  }

  async run<T>(work: () => Promise<T>, line: Line = 'others'): Promise<T> {
    if (this.isFull(line)) throw new Refusal('too_busy', { retry_after_seconds: 1 });
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>(resolve => this.#lines[line].push(resolve));
    try {
      return await work();
    } finally {
      const next = lines
        .map(name => this.#lines[name])
        .find(({ length }) => length > 0)
        ?.shift();
      // Who waits takes the place over: nobody can come in between.
      if (next) next();
      else this.#free += 1;
    }
  }
}

/** Argon2 runs of this process: about 20 ms each, so that who waits last does so for about a second. */
export const passwordQueue = new PasswordQueue(2, 64);
