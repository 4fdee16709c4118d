/**
 * What a finding's category stands for. The answers of the service name the flaw and the remedy; the reason comes from
 * the catalogue that whoever puts the program together hands in. Undefined for categories it does not know.
 */
export type DescribeCheck = (category: string) => CheckDescription | undefined;

interface CheckDescription {
  readonly title: string;
  /** What the flaw means, in a sentence. */
  readonly why: string;
  readonly references: readonly string[];
}
