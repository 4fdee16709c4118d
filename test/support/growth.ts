export interface Bound {
  /** Milliseconds that the full input may take. */
  readonly within: number;
  /** Milliseconds below which times are not compared: garbage collection alone takes as long. */
  readonly noise: number;
}

const steps = 8;
/** Linear work takes 8 times as long for 8 times the input, quadratic work 64 times. */
const maxRatio = 24;
const attempts = 4;

/** A quarter of the input is enough to recognize most linear work. */
const firstShare = 1 / 4;
/** Stricter than for the full input: at this size quadratic work may still hide behind linear work. */
const maxFirstRatio = 12;

/**
 * Whether a quarter proves that the work is linear: if it were quadratic, the full input would take less than the
 * noise; or the quarter is within the bound, and an eighth of it shows that the work is not quadratic. The quarter runs
 * first: compilation at the beginning only makes it slower.
 */
function* isSurelyLinear({ within, noise }: Bound): Generator<number, boolean, number> {
  const quarter = yield firstShare;
  if (quarter < noise * firstShare ** 2) return true;
  if (quarter > within * firstShare ** 2) return false;
  const part = Math.min(yield firstShare / steps, yield firstShare / steps);
  return quarter / part < maxFirstRatio;
}

/**
 * Yields the share whose CPU time is needed next, and returns why the work is not linear, if so. Work that appears too
 * slow is measured again, and the best attempt counts: other programs can only make it slower.
 */
function* judged(bound: Bound): Generator<number, string | undefined, number> {
  if (yield* isSurelyLinear(bound)) return undefined;
  const { within, noise } = bound;
  const slow: string[] = [];
  let part = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts; attempt++) {
    part = Math.min(part, yield 1 / steps);
    // The full input might take minutes, and a test's timeout cannot interrupt it.
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
 * CPU time of this process in milliseconds since a reading, since other programs use the machine too. System time is
 * excluded: it includes allocating memory when the machine has little. Copying bytes repeatedly counts as user time.
 */
function since(before: NodeJS.CpuUsage): number {
  return process.cpuUsage(before).user / 1_000;
}

/**
 * Measures work on a quarter of an input, and if that does not prove it linear, on an eighth and on all of it.
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

/** The same for work that yields to the event loop. */
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
