export interface Bound {
  /** Milliseconds that the whole may take. */
  readonly within: number;
  /** Milliseconds below which nothing is compared: garbage collection alone takes as much. */
  readonly noise: number;
}

const steps = 8;
/** Linear work takes 8 times as long for 8 times the input, quadratic work 64 times. */
const maxRatio = 24;
const attempts = 4;

/** A quarter of the input is enough to see that most work is linear. */
const firstShare = 1 / 4;
/** Stricter than for the whole: at this size quadratic work may still hide behind linear work. */
const maxFirstRatio = 12;

/**
 * Whether a quarter leaves no doubt: were the work quadratic, the whole would take less than the noise; or within the
 * bound, and an eighth of the quarter shows that it is not. The quarter is first: what the compiler takes at the beginning makes
 * it look worse, and never better.
 */
function* isSurelyLinear({ within, noise }: Bound): Generator<number, boolean, number> {
  const quarter = yield firstShare;
  if (quarter < noise * firstShare ** 2) return true;
  if (quarter > within * firstShare ** 2) return false;
  const part = Math.min(yield firstShare / steps, yield firstShare / steps);
  return quarter / part < maxFirstRatio;
}

/**
 * Says of which share the CPU time is needed next, and ends with why the work is not linear, if so. What looks too slow is
 * measured again, and the best attempt counts: another program can only make it slower.
 */
function* judged(bound: Bound): Generator<number, string | undefined, number> {
  if (yield* isSurelyLinear(bound)) return undefined;
  const { within, noise } = bound;
  const slow: string[] = [];
  let part = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts; attempt++) {
    part = Math.min(part, yield 1 / steps);
    // The whole might take minutes, which no time-out of a test cuts short.
    if (part > within / 2) slow.push(`${part} ms for an eighth, where ${within} ms are for all`);
    else {
      const whole = yield 1;
      if (whole < noise || (whole < within && whole / part < maxRatio)) return undefined;
      slow.push(`${part} ms, then ${whole} ms for ${steps} times as much`);
    }
  }
  return slow.join('; ');
}

/**
 * CPU time of this process in milliseconds since a reading: others use the machine too. Without the kernel's, which fresh memory takes
 * while the machine is short of it; whoever copies bytes again and again does that on time of their own.
 */
function since(before: NodeJS.CpuUsage): number {
  return process.cpuUsage(before).user / 1_000;
}

/**
 * Measures work on a quarter of an input; unless that leaves no doubt, on an eighth and on all of it.
 *
 * @param prepare builds the input of a share, at least 1/32, and returns the work on it, which alone is measured
 * @returns why it is not linear, or undefined
 */
export function superlinear(prepare: (share: number) => () => void, bound: Bound): string | undefined {
  const judging = judged(bound);
  let next = judging.next(0);
  while (!next.done) {
    const work = prepare(next.value);
    const before = process.cpuUsage();
    work();
    next = judging.next(since(before));
  }
  return next.value;
}

/** The same for work that takes turns with the event loop. */
export async function superlinearWhenDone(
  prepare: (share: number) => () => unknown,
  bound: Bound,
): Promise<string | undefined> {
  const judging = judged(bound);
  let next = judging.next(0);
  while (!next.done) {
    const work = prepare(next.value);
    const before = process.cpuUsage();
    await work();
    next = judging.next(since(before));
  }
  return next.value;
}
