/** Milliseconds that a request may wait, for its body or for the database, without being admitted again. */
const slowMs = 1000;

/** @param admittedAt by `performance.now()` */
export function isLate(admittedAt: number): boolean {
  return performance.now() - admittedAt > slowMs;
}
