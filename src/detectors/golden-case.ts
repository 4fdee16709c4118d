/** One example of evidence and all that its detector must say about it: nothing more, nothing less. */
export interface GoldenCase<Evidence> {
  readonly name: string;
  readonly evidence: Evidence;
  /** The id of each expected observation, with its locator where that matters. */
  readonly expected: readonly (string | { readonly check: string; readonly locator: string })[];
  /** Ids of the checks that must say that they could not look. */
  readonly notAssessed?: readonly string[];
}
