import { LRUCache } from 'lru-cache';
import { Refusal } from '../../domain/refusal.ts';

/** Known browsers, sessions, and links: of a new password, or an organization's invitations; who has worked for the attempt; all others. */
type Line = 'first' | 'paid' | 'others';

/** Where somebody waits, and as whom: what one holder asks for waits for itself before it keeps others waiting. */
export interface Place {
  readonly line: Line;
  readonly holder: string;
}

interface Waiting {
  readonly holder: string;
  begin(): void;
  refuse(): void;
}

/** Whose turn it is while all lines wait: none keeps another from its share. A line in which nobody waits passes its turn on. */
const turns: readonly Line[] = ['first', 'paid', 'first', 'others', 'first', 'paid', 'first'];

/** How many of one holder may wait. In the first two lines a holder is one person, or the organization that has invited one; a network may be many people's. */
const mostOfOne: Record<Line, number> = { first: 2, paid: 2, others: Number.POSITIVE_INFINITY };

const minute = 60_000;

/**
 * Lets a number of works go on at once and a number wait in each line; beyond that it refuses at once with `too_busy`, so that
 * a flood takes neither the processor nor memory. In a line the next is of the holder who has had fewest turns within the last
 * minute; in a full one, who asks for more than anybody else makes room for who asks for less.
 */
export class PasswordQueue {
  #free: number;
  #turn = 0;
  readonly #longest: number;
  readonly #lines: Record<Line, Waiting[]> = { first: [], paid: [], others: [] };
  /** More than begin within a minute. */
  readonly #had = new LRUCache<string, number>({ max: 20_000, ttl: minute, noUpdateTTL: true });

  constructor(atOnce: number, longest: number) {
    this.#free = atOnce;
    this.#longest = longest;
  }

  /** Throws `too_busy`, at once or where the place in the line went to another. */
  async run<T>(place: Place, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) {
      this.#free -= 1;
      this.#countTurn(place);
    } else await this.#wait(place);
    try {
      return await work();
    } finally {
      const next = this.#next();
      // Who waits takes the place over: nobody can come in between.
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

  /** @param asked turns that the newcomer has had, waits for and asks for */
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

  /** Takes who is next out of their line. */
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

/** Argon2 runs of this process: about 20 ms each, so that who waits last in a full line does so for some seconds. */
export const passwordQueue = new PasswordQueue(2, 64);
