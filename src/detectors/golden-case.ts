import type { Severity } from '../contract/severity.ts';

interface ExpectedObservation {
  readonly check: string;
  readonly locator: string;
  /** Where it is not the check's own. */
  readonly severity?: Severity;
}

/** One capture and all that its detector must say about it: nothing more, nothing less. */
export interface GoldenCase<Capture> {
  readonly name: string;
  readonly capture: Capture;
  /** The id of each expected observation, with its locator, and its severity, where that matters. */
  readonly expected: readonly (string | ExpectedObservation)[];
  /** Ids of the checks that must say that they could not look. */
  readonly notAssessed?: readonly string[];
}
