/** Removes a protection, and names the test that must then fail. */
export interface Mutant {
  /** The flaw in the mutated code. */
  readonly name: string;
  /** Relative to the folder of package.json. */
  readonly file: string;
  /** Text that occurs once in the file. */
  readonly search: string;
  readonly replacement: string;
  /** Further replacements in the file, to remove a protection that is in two places. */
  readonly also?: readonly (readonly [search: string, replacement: string])[];
  readonly killedBy: TestName;
}

export interface TestName {
  readonly file: string;
  /** The test's name, or a part of it that is unique in the file. */
  readonly test: string;
}

/** The results of a test run. */
export interface Outcome {
  /** Names of tests that passed. */
  readonly passed: readonly string[];
  readonly failed: readonly FailedTest[];
  /** Errors outside tests: modules that did not load, hooks that failed. */
  readonly errors: readonly string[];
}

export interface FailedTest {
  readonly name: string;
  readonly message: string;
  /** Whether an assertion failed. Otherwise something threw, or took too long. */
  readonly isAssertion: boolean;
}

/**
 * The file's text with the mutation. Throws if the text to replace is missing or not unique: the code has changed, and
 * the list must change with it.
 */
export function mutate(text: string, { name, file, search, replacement, also = [] }: Mutant): string {
  let mutated = text;
  for (const [from, to] of [[search, replacement] as const, ...also]) {
    const places = mutated.split(from).length - 1;
    if (places !== 1) {
      const found = places === 0 ? 'is missing' : `occurs ${places} times`;
      throw new Error(`"${name}" no longer applies to ${file}: ${JSON.stringify(from)} ${found}`);
    }
    mutated = mutated.replace(from, () => to);
  }
  if (mutated === text) throw new Error(`"${name}" changes nothing`);
  return mutated;
}
