/** What may begin in one turn of the event loop: of one client, and of all. At least one begins, whatever it weighs. */
interface TurnLimits {
  readonly ofClient: number;
  readonly ofAll: number;
  /** How many times as long as what began in a turn takes, where that is long, nothing begins. */
  readonly rest?: number;
}

/** Milliseconds of work that are no reason for a rest, and of the longest rest. */
const [short, longestRest] = [5, 250];

interface Work {
  readonly weight: number;
  begin(): void;
}

/** A client's work that has not begun. */
class Line {
  readonly waiting: Work[] = [];
  turn = 0;
  begun = 0;
}

/**
 * Begins a little work in a turn of the event loop. Clients that have work all the time have their turns one after another; who has had
 * none lately goes first (as in FQ-CoDel, RFC 8290, section 4.2).
 */
export class FairTurns {
  readonly #limits: TurnLimits;
  readonly #lines = new Map<string, Line>();
  /** Clients who have just come, and those who came before, in the order in which their work begins. */
  readonly #fresh: string[] = [];
  readonly #known: string[] = [];
  #turn = 0;
  #begun = 0;
  #beganAt = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Begins the work in this turn, or in a later one. */
  take(client: string, work: Work): void {
    if (this.#lines.size === 0) setImmediate(this.#next);
    const known = this.#lines.get(client);
    const line = known ?? new Line();
    const isNow = this.#hasRoom(line) && line.waiting.length === 0;
    if (!known) {
      this.#lines.set(client, line);
      (isNow ? this.#known : this.#fresh).push(client);
    }
    if (isNow) this.#begin(line, work);
    else line.waiting.push(work);
  }

  #hasRoom(line: Line): boolean {
    return this.#begun < this.#limits.ofAll && this.#begunOf(line) < this.#limits.ofClient;
  }

  /** What has begun of the client in this turn. */
  #begunOf(line: Line): number {
    return line.turn === this.#turn ? line.begun : 0;
  }

  #begin(line: Line, { weight, begin }: Work): void {
    line.begun = this.#begunOf(line) + weight;
    line.turn = this.#turn;
    if (this.#begun === 0) this.#beganAt = performance.now();
    this.#begun += weight;
    begin();
  }

  readonly #next = (): void => {
    const took = this.#begun > 0 ? performance.now() - this.#beganAt : 0;
    const { rest = 0 } = this.#limits;
    if (rest === 0 || took < short) this.#nextTurn();
    else setTimeout(this.#nextTurn, Math.min(longestRest, rest * took));
  };

  readonly #nextTurn = (): void => {
    this.#turn += 1;
    this.#begun = 0;
    try {
      this.#beginWaiting();
    } finally {
      if (this.#lines.size > 0) setImmediate(this.#next);
    }
  };

  #beginWaiting(): void {
    while (this.#begun < this.#limits.ofAll && this.#fresh.length > 0) {
      const client = this.#fresh.shift()!;
      this.#known.push(client);
      const line = this.#lines.get(client)!;
      this.#begin(line, line.waiting.shift()!);
    }
    for (let left = this.#known.length; left > 0 && this.#begun < this.#limits.ofAll; left--) {
      const client = this.#known.shift()!;
      const line = this.#lines.get(client)!;
      if (line.waiting.length === 0) {
        this.#lines.delete(client);
        continue;
      }
      this.#known.push(client);
      while (line.waiting.length > 0 && this.#hasRoom(line)) this.#begin(line, line.waiting.shift()!);
    }
  }
}
