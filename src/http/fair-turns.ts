/** Maximum weight of work that starts in one turn of the event loop, per line and in total. At least one piece of work starts. */
interface TurnLimits {
  readonly ofLine: number;
  readonly ofAll: number;
  readonly rest?: Rest;
}

/** A pause after a turn whose work took long. */
interface Rest {
  /** Length of the pause, as a multiple of the duration of the work. */
  readonly times: number;
  /** Whether other work needs the time. */
  isNeeded(): boolean;
}

/** Milliseconds: work up to `short` causes no pause, and no pause is longer than `longestRest`. */
const [short, longestRest] = [5, 250];

interface Work {
  readonly weight: number;
  begin(): void;
}

/** The line of the work, and its member within the line. */
export interface Place {
  readonly line: string;
  readonly member: string;
}

/** Queued work of a line, taken round-robin from its members. */
class Line {
  /** In round-robin order. */
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

  /** Removes and returns the oldest work of the next member. The line must not be empty. */
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
 * Starts a limited amount of work in each turn of the event loop. Lines are served round-robin, and so are the members of a line. A line
 * that had no work goes first, as in FQ-CoDel (RFC 8290, section 4.2).
 */
export class FairTurns {
  readonly #limits: TurnLimits;
  readonly #lines = new Map<string, Line>();
  /** Names of new lines, which go first, and of other lines, in round-robin order. */
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

  /** Starts the work in this turn or queues it. Returns a function that removes it from the queue; undefined if it has started. */
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

  /** Weight of the work of the line that started in this turn. */
  #begunOf(line: Line): number {
    return line.turn === this.#turn ? line.begun : 0;
  }

  #begin(line: Line, { weight, begin }: Work): void {
    line.begun = this.#begunOf(line) + weight;
    line.turn = this.#turn;
    this.#begun += weight;
    begin();
  }

  /** Only microtasks of the first callback run between the two, which allows measuring the time of the work. */
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

  /** Starts work of the line within the limits. Returns false and removes the line if it is empty. */
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
    // After pending input was read.
    setImmediate(this.#endRest);
  };

  readonly #endRest = (): void => {
    const left = this.#restsUntil - performance.now();
    if (left > 0 && this.#limits.rest!.isNeeded()) setTimeout(this.#endRest, left);
    else this.#schedule();
  };
}
