/** Milliseconds after authentication until it must be checked again before a change. */
const slowMs = 1000;

/** @param admittedAt by `performance.now()` */
export function isLate(admittedAt: number): boolean {
  return performance.now() - admittedAt > slowMs;
}
