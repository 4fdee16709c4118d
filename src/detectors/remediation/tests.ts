/** What was seen when the fixes were tested. */
export const tests: {
  readonly versions: Readonly<Record<string, string>>;
  readonly proven: Readonly<Record<string, readonly string[]>>;
} = { versions: {}, proven: {} };
