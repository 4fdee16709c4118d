import { LRUCache } from 'lru-cache';
import { Refusal } from '../../domain/refusal.ts';

/**
 * `first`: known browsers, sessions, and links for a new password or an invitation. `paid`: attempts with a proof of work.
 * `others`: all others.
 */
type Line = 'first' | 'paid' | 'others';

/** A line, and the holder within it. Requests of one holder wait for each other before they delay other holders. */
export interface Place {
  readonly line: Line;
  readonly holder: string;
}

interface Waiting {
  readonly holder: string;
  begin(): void;
  refuse(): void;
}

/** Round-robin schedule of the lines, so that each receives its share. Empty lines are skipped. */
const turns: readonly Line[] = ['first', 'paid', 'first', 'others', 'first', 'paid', 'first'];

/**
 * Maximum waiting requests of one holder. In the first two lines, a holder is one person or the inviting organization. A
 * network can have many people.
 */
const mostOfOne: Record<Line, number> = { first: 2, paid: 2, others: Number.POSITIVE_INFINITY };

const minute = 60_000;

/**
 * Limits the work that runs at once, and the work that waits in each line. Beyond that it throws `too_busy` at once, so a
 * flood uses neither CPU nor memory. Within a line, the holder with the fewest runs in the last minute is next. In a full
 * line, a request of the busiest holder is dropped for one of a holder with less load.
 */
export class PasswordQueue {
  #free: number;
  #turn = 0;
  readonly #longest: number;
  readonly #lines: Record<Line, Waiting[]> = { first: [], paid: [], others: [] };
  /** Capacity for more holders than can run within a minute. */
  readonly #had = new LRUCache<string, number>({ max: 20_000, ttl: minute, noUpdateTTL: true });

  constructor(atOnce: number, longest: number) {
    this.#free = atOnce;
    this.#longest = longest;
  }

  /** Throws `too_busy`, at once or when the place in the line is given to another holder. */
  async run<T>(place: Place, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) {
      this.#free -= 1;
      this.#countTurn(place);
    } else await this.#wait(place);
    try {
      return await work();
    } finally {
      const next = this.#next();
      // A waiting request receives the slot directly, so that new requests cannot overtake it.
      if (next) next.begin();
      else this.#free += 1;
    }
  }

  #wait(place: Place): Promise<void> {
    const { line, holder } = place;
    const waiting = this.#lines[line];
    const own = waiting.filter(one => one.holder === holder).length;
    if (own >= mostOfOne[line]) throw tooBusy();
    if (waiting.length >= this.#longest) this.#makeRoom(place, this.#turnsOf(place) + own + 1);
    return new Promise((resolve, reject) => {
      waiting.push({ holder, begin: resolve, refuse: () => reject(tooBusy()) });
    });
  }

  /** @param asked load of the newcomer: recent runs, waiting requests and this request */
  #makeRoom({ line }: Place, asked: number): void {
    const waiting = this.#lines[line];
    const loads = new Map<string, number>();
    for (const { holder } of waiting) {
      loads.set(holder, (loads.get(holder) ?? this.#turnsOf({ line, holder })) + 1);
    }
    const most = Math.max(...loads.values());
    if (most <= asked) throw tooBusy();
    const last = waiting.findLastIndex(({ holder }) => loads.get(holder) === most);
    for (const one of waiting.splice(last, 1)) one.refuse();
  }

  /** Removes the next request from its line. */
  #next(): Waiting | undefined {
    for (const [step] of turns.entries()) {
      const line = turns[(this.#turn + step) % turns.length]!;
      const waiting = this.#lines[line];
      if (waiting.length === 0) continue;
      this.#turn = (this.#turn + step + 1) % turns.length;
      const had = waiting.map(({ holder }) => this.#turnsOf({ line, holder }));
      const [next] = waiting.splice(had.indexOf(Math.min(...had)), 1);
      this.#countTurn({ line, holder: next!.holder });
      return next;
    }
    return undefined;
  }

  #turnsOf({ line, holder }: Place): number {
    return this.#had.get(`${line} ${holder}`) ?? 0;
  }

  #countTurn(place: Place): void {
    this.#had.set(`${place.line} ${place.holder}`, this.#turnsOf(place) + 1);
  }
}

function tooBusy(): Refusal {
  return new Refusal('too_busy', { retry_after_seconds: 1 });
}

/** Argon2 runs of this process take about 20 ms each, so the last request of a full line waits a few seconds. */
export const passwordQueue = new PasswordQueue(2, 64);
