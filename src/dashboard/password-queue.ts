import { Refusal } from '../domain/refusal.ts';

/**
 * Lets a number of works go on at once and a number wait; beyond that it refuses at once with `too_busy`, so that a flood
 * takes neither the processor nor memory. Who goes first has a line of their own.
 */
export class PasswordQueue {
  #free: number;
  readonly #longest: number;
  readonly #lines = { first: [] as (() => void)[], others: [] as (() => void)[] };

  constructor(atOnce: number, longest: number) {
    this.#free = atOnce;
    this.#longest = longest;
  }

  async run<T>(work: () => Promise<T>, line: 'first' | 'others' = 'others'): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else {
      const waiting = this.#lines[line];
      if (waiting.length >= this.#longest) throw new Refusal('too_busy', { retry_after_seconds: 1 });
      await new Promise<void>(resolve => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = this.#lines.first.shift() ?? this.#lines.others.shift();
      // Who waits takes the place over: nobody can come in between.
      if (next) next();
      else this.#free += 1;
    }
  }
}

/** Argon2 runs of this process: about 20 ms each, so that who waits last does so for about a second. */
export const passwordQueue = new PasswordQueue(2, 64);
