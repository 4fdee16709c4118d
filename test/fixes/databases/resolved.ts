import { expect } from 'vitest';

/** The result of a database scan. */
export interface DatabaseScan {
  /** `check locator` of each finding. */
  readonly found: readonly string[];
  /** Ids of checks. */
  readonly notAssessed: readonly string[];
}

/**
 * A fix resolves its finding, with the check assessed, and raises no new one.
 *
 * @param finding `check locator`, or its prefix
 */
export function expectResolved(before: DatabaseScan, after: DatabaseScan, finding: string): void {
  const [check] = finding.split(' ', 1);
  expect(after.found.filter(found => found.startsWith(finding))).toEqual([]);
  expect(after.notAssessed).not.toContain(check);
  expect(after.found.filter(found => !before.found.includes(found))).toEqual([]);
}
