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
  readonly waiting = new Set<Work>();
  turn = 0;
  begun = 0;

  /** Takes what has waited longest. */
  shift(): Work | undefined {
    const [first] = this.waiting;
    if (first) this.waiting.delete(first);
    return first;
  }
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

  /** Begins the work in this turn, or in a later one. Returns what takes it out of its line; undefined where it has begun. */
  take(client: string, work: Work): (() => void) | undefined {
    if (this.#lines.size === 0) this.#schedule();
    const known = this.#lines.get(client);
    const line = known ?? new Line();
    const isNow = this.#hasRoom(line) && line.waiting.size === 0 && !this.#limits.rest;
    if (!known) {
      this.#lines.set(client, line);
      (isNow ? this.#known : this.#fresh).push(client);
    }
    if (isNow) {
      this.#begin(line, work);
      return undefined;
    }
    line.waiting.add(work);
    return () => void line.waiting.delete(work);
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
    this.#begun += weight;
    begin();
  }

  /** Between two callbacks that are scheduled together comes what the first has begun, and nothing of anybody else. */
  readonly #schedule = (): void => {
    setImmediate(this.#beginTurn);
    setImmediate(this.#endTurn);
  };

  readonly #beginTurn = (): void => {
    this.#turn += 1;
    this.#begun = 0;
    this.#beganAt = performance.now();
    while (this.#begun < this.#limits.ofAll && this.#fresh.length > 0) {
      const client = this.#fresh.shift()!;
      if (this.#beginOf(client, 1)) this.#known.push(client);
    }
    for (let left = this.#known.length; left > 0 && this.#begun < this.#limits.ofAll; left--) {
      const client = this.#known.shift()!;
      if (this.#beginOf(client)) this.#known.push(client);
    }
  };

  /** Begins what the client may begin now. False where it has nothing to begin, and is forgotten. */
  #beginOf(client: string, most = Number.POSITIVE_INFINITY): boolean {
    const line = this.#lines.get(client)!;
    if (line.waiting.size === 0) {
      this.#lines.delete(client);
      return false;
    }
    for (let begun = 0; begun < most && line.waiting.size > 0 && this.#hasRoom(line); begun++) {
      this.#begin(line, line.shift()!);
    }
    return true;
  }

  readonly #endTurn = (): void => {
    if (this.#lines.size === 0) return;
    const { rest = 0 } = this.#limits;
    const took = performance.now() - this.#beganAt;
    if (rest === 0 || took < short) this.#schedule();
    else setTimeout(this.#schedule, Math.min(longestRest, rest * took));
  };
}
