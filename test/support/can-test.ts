/**
 * Returns what tests need, to skip them if it is missing. Then it prints a line for which CI fails: a test that needs a part proves
 * nothing without it.
 *
 * @param missing what is missing, and what was not tested without it
 */
export function canTest<T>(found: T, missing: string): T {
  if (!found) console.warn(`SKIPPED: ${missing}.`);
  return found;
}
