/**
 * What a finding's category stands for. The answers of the service name the flaw and the remedy; the reason comes from
 * the catalogue that whoever puts the program together hands in. Undefined for categories it does not know.
 */
export type DescribeCheck = (category: string) => CheckDescription | undefined;

interface CheckDescription {
  readonly title: string;
  /** What the flaw means, in a sentence. */
  readonly why: string;
}

/** The page on which a service explains every check, one anchor a check. @param url without a slash at its end */
export function checksPageOf(url: string): string {
  return `${url}/docs/checks`;
}
