export interface Bound {
  /** Milliseconds that the full input may take. */
  readonly within: number;
  /** Milliseconds below which times are not compared: garbage collection alone takes as long. */
  readonly noise: number;
}

/** Yields the share of the input whose CPU time is needed next. */
type Measuring<Result> = Generator<number, Result, NodeJS.CpuUsage>;

/** Milliseconds of CPU time. Only the sum is exact for short work: the system estimates how it is divided. */
const total = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;
/**
 * Excludes system time, which includes allocating memory when the machine has little. Copying bytes repeatedly counts as
 * user time.
 */
const user = (usage: NodeJS.CpuUsage) => usage.user / 1_000;

const steps = 8;
/** Linear work takes 8 times as long for 8 times the input, quadratic work 64 times. */
const maxRatio = 24;
/**
 * From a half to the full input: linear work takes 2 times as long, quadratic work 4 times. An input that no longer fits
 * into the processor's caches takes up to 3 times as long for each value, on a busy machine all at once between an eighth
 * and the full input, so that linear work exceeds the other ratio. Of work as + bs² that passes, b is less than 2 times a,
 * and by the other ratio 3.2 times.
 */
const maxHalfRatio = 3;
const attempts = 4;

/**
 * A part of the input is enough to recognize most linear work. Where a garbage collection makes the first attempt slow,
 * the second is likely not to have one, and larger parts have more other work.
 */
const shares = [1 / 8, 1 / 8, 1 / 2];
/**
 * Stricter than for the full input: of work that passes, as + bs² for a share s of at least 1/8, b is less than 2.4 times
 * a, and the full input takes at most 21 times as long as the share.
 */
const maxPartRatio = 10;
const maxGrowth = 21;

/**
 * Whether a part proves that the work is linear: if it were quadratic, the full input would take less than the noise; or
 * an eighth of the part shows that the work is not quadratic, or that most of its time does not depend on the input. The part
 * runs first: compilation at the beginning only makes it slower.
 */
function* isSurelyLinear({ within, noise }: Bound): Measuring<boolean> {
  for (const share of shares) {
    const part = total(yield share);
    if (part < noise * share ** 2) return true;
    // A larger part might take minutes.
    if (part > within * share) return false;
    const eighth = Math.min(total(yield share / steps), total(yield share / steps));
    if (part < within / maxGrowth && part < eighth * maxPartRatio) return true;
    // What an eighth takes longer than its own eighth, all of the input would take 64 times longer if all of that is quadratic.
    const longest = part + steps ** 2 * Math.max(part - eighth, 0);
    if (share === 1 / steps && longest < Math.min(within, part * maxRatio)) return true;
  }
  return false;
}

/**
 * Yields the share whose CPU time is needed next, and returns why the work is not linear, if so. Work that appears too
 * slow is measured again, and the best attempt counts: other programs can only make it slower.
 */
function* judged(bound: Bound): Measuring<string | undefined> {
  if (yield* isSurelyLinear(bound)) return undefined;
  const { within, noise } = bound;
  const slow: string[] = [];
  let part = Number.POSITIVE_INFINITY;
  let half = Number.POSITIVE_INFINITY;
  let fastest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts; attempt++) {
    // All of its time: an estimate of too little user time would make linear work seem to grow faster.
    part = Math.min(part, total(yield 1 / steps));
    // The full input might take minutes, and a test's timeout cannot interrupt it.
    if (part > within / 2) slow.push(`${part} ms for an eighth, where ${within} ms are for all`);
    else {
      const whole = user(yield 1);
      if (whole < noise || (whole < within && whole / part < maxRatio)) return undefined;
      fastest = Math.min(fastest, whole);
      half = Math.min(half, total(yield 1 / 2));
      slow.push(`${part} ms for an eighth, ${half} ms for a half, ${whole} ms for all`);
    }
  }
  if (fastest < within && fastest / half < maxHalfRatio) return undefined;
  return slow.join('; ');
}

/**
 * Measures work on an eighth of an input, and if that does not prove it linear, on all of it. CPU time of this process,
 * since other programs use the machine too.
 *
 * @param prepare builds the input of a share, at least 1/64, and returns the work on it, which alone is measured
 * @returns why it is not linear, or undefined
 */
export function superlinear(prepare: (share: number) => () => void, bound: Bound): string | undefined {
  const judging = judged(bound);
  let next = judging.next(process.cpuUsage());
  while (!next.done) {
    const work = prepare(next.value);
    const before = process.cpuUsage();
    work();
    next = judging.next(process.cpuUsage(before));
  }
  return next.value;
}

/** The same for work that yields to the event loop. */
export async function superlinearWhenDone(
  prepare: (share: number) => () => unknown,
  bound: Bound,
): Promise<string | undefined> {
  const judging = judged(bound);
  let next = judging.next(process.cpuUsage());
  while (!next.done) {
    const work = prepare(next.value);
    const before = process.cpuUsage();
    await work();
    next = judging.next(process.cpuUsage(before));
  }
  return next.value;
}
