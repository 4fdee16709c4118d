import type { Severity } from '../contract/severity.ts';

interface ExpectedObservation {
  readonly check: string;
  readonly locator: string;
  /** Where the detector decides on it. */
  readonly severity?: Severity;
}

/** One capture and exactly what its detector must report for it. */
export interface GoldenCase<Capture> {
  readonly name: string;
  readonly capture: Capture;
  /** The check id of each expected observation, with its locator and severity where they matter. */
  readonly expected: readonly (string | ExpectedObservation)[];
  /** Ids of the checks that must be reported as not assessed. */
  readonly notAssessed?: readonly string[];
}
