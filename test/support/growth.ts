/** CPU time of this process in milliseconds: others use the machine too. */
function cpuTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

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

/**
 * Measures work on an eighth of an input and on all of it. What looks too slow is measured again, and the best attempt
 * counts: another program can only make it slower.
 *
 * @param prepare builds the input of a share, 1/8 or 1, and returns the work on it, which alone is measured
 * @returns why it is not linear, or undefined
 */
export function superlinear(
  prepare: (share: number) => () => void,
  { within, noise }: Bound,
): string | undefined {
  const slow: string[] = [];
  let part = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts; attempt++) {
    part = Math.min(part, cpuTime(prepare(1 / steps)));
    // The whole might take minutes, which no time-out of a test cuts short.
    if (part > within / 2) slow.push(`${part} ms for an eighth, where ${within} ms are for all`);
    else {
      const whole = cpuTime(prepare(1));
      if (whole < noise || (whole < within && whole / part < maxRatio)) return undefined;
      slow.push(`${part} ms, then ${whole} ms for ${steps} times as much`);
    }
  }
  return slow.join('; ');
}
