/** What may begin in one turn of the event loop: of one line, and of all. At least one begins, whatever it weighs. */
interface TurnLimits {
  readonly ofLine: number;
  readonly ofAll: number;
  readonly rest?: Rest;
}

/** Where what began in a turn took long, nothing begins for a time. */
interface Rest {
  /** How many times as long as it took. */
  readonly times: number;
  /** Whether anybody needs the time. */
  isNeeded(): boolean;
}

/** Milliseconds of work that are no reason for a rest, and of the longest rest. */
const [short, longestRest] = [5, 250];

interface Work {
  readonly weight: number;
  begin(): void;
}

/** Who has work: one of those who share a line. */
export interface Place {
  readonly line: string;
  readonly member: string;
}

/** Work of a line that has not begun: of one of its members after the other. */
class Line {
  /** In the order of their turns. */
  readonly #members = new Map<string, Set<Work>>();
  turn = 0;
  begun = 0;

  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  add(member: string, work: Work): void {
    const own = this.#members.get(member);
    if (own) own.add(work);
    else this.#members.set(member, new Set([work]));
  }

  delete(member: string, work: Work): void {
    const own = this.#members.get(member);
    own?.delete(work);
    if (own?.size === 0) this.#members.delete(member);
  }

  /** Takes the next member's work that has waited longest. The line must not be empty. */
  shift(): Work {
    const [[member, own]] = this.#members as unknown as [[string, Set<Work>]];
    const [first] = own as unknown as [Work];
    own.delete(first);
    this.#members.delete(member);
    if (own.size > 0) this.#members.set(member, own);
    return first;
  }
}

/**
 * Begins a little work in a turn of the event loop. Lines that have work all the time have their turns one after another, and so have
 * the members of a line; a line that has had none lately goes first (as in FQ-CoDel, RFC 8290, section 4.2).
 */
export class FairTurns {
  readonly #limits: TurnLimits;
  readonly #lines = new Map<string, Line>();
  /** Names of lines that have just come, and of those that came before, in the order in which their work begins. */
  readonly #fresh: string[] = [];
  readonly #known: string[] = [];
  #turn = 0;
  #begun = 0;
  #beganAt = 0;
  #restsUntil = 0;
  #isScheduled = false;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Begins the work in this turn, or in a later one. Returns what takes it out of its line; undefined where it has begun. */
  take({ line: name, member }: Place, work: Work): (() => void) | undefined {
    if (!this.#isScheduled) this.#schedule();
    const known = this.#lines.get(name);
    const line = known ?? new Line();
    const isNow = this.#hasRoom(line) && line.isEmpty && !this.#limits.rest;
    if (!known) {
      this.#lines.set(name, line);
      (isNow ? this.#known : this.#fresh).push(name);
    }
    if (isNow) {
      this.#begin(line, work);
      return undefined;
    }
    line.add(member, work);
    return () => line.delete(member, work);
  }

  #hasRoom(line: Line): boolean {
    return this.#begun < this.#limits.ofAll && this.#begunOf(line) < this.#limits.ofLine;
  }

  /** What has begun of the line in this turn. */
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
    this.#isScheduled = true;
    setImmediate(this.#beginTurn);
    setImmediate(this.#endTurn);
  };

  readonly #beginTurn = (): void => {
    this.#turn += 1;
    this.#begun = 0;
    this.#beganAt = performance.now();
    while (this.#begun < this.#limits.ofAll && this.#fresh.length > 0) {
      const name = this.#fresh.shift()!;
      if (this.#beginOf(name, 1)) this.#known.push(name);
    }
    for (let left = this.#known.length; left > 0 && this.#begun < this.#limits.ofAll; left--) {
      const name = this.#known.shift()!;
      if (this.#beginOf(name)) this.#known.push(name);
    }
  };

  /** Begins what may begin now of the line. False where it has nothing to begin, and is forgotten. */
  #beginOf(name: string, most = Number.POSITIVE_INFINITY): boolean {
    const line = this.#lines.get(name)!;
    if (line.isEmpty) {
      this.#lines.delete(name);
      return false;
    }
    for (let begun = 0; begun < most && !line.isEmpty && this.#hasRoom(line); begun++) {
      this.#begin(line, line.shift());
    }
    return true;
  }

  readonly #endTurn = (): void => {
    if (this.#lines.size === 0) {
      this.#isScheduled = false;
      return;
    }
    const { rest } = this.#limits;
    const now = performance.now();
    const took = now - this.#beganAt;
    if (!rest || took < short) {
      this.#schedule();
      return;
    }
    this.#restsUntil = now + Math.min(longestRest, rest.times * took);
    // By then, what has come meanwhile is read.
    setImmediate(this.#endRest);
  };

  readonly #endRest = (): void => {
    const left = this.#restsUntil - performance.now();
    if (left > 0 && this.#limits.rest!.isNeeded()) setTimeout(this.#endRest, left);
    else this.#schedule();
  };
}
