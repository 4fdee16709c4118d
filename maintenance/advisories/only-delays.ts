/** Weaknesses that cost time or memory: resources, recursion, loops and regular expressions (https://cwe.mitre.org). */
const ofResources: ReadonlySet<string> = new Set(
  [185, 400, 407, 409, 674, 730, 770, 789, 834, 835, 1333].map(number => `CWE-${number}`),
);

/** Summaries of other vulnerabilities that lists file under CWE-400 too. */
const ofMore = /pollution|cross.site|\bxss\b|inject|code execution|disclos/i;

/** Frameworks that the list knows by their scripts, but whose advisories are about their servers. */
export const serverFrameworks: ReadonlySet<string> = new Set(['next']);

/**
 * Whether an advisory is about denial of service only. In a browser, that makes a visitor's page hang, which is reported with severity
 * low.
 */
export function onlyDelays(library: string, weaknesses: readonly string[], summary: string): boolean {
  if (serverFrameworks.has(library) || ofMore.test(summary)) return false;
  const known = weaknesses.filter(weakness => weakness !== 'CWE-20');
  return known.length > 0 && known.every(weakness => ofResources.has(weakness));
}
