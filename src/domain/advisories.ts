/** What is known about an advisory besides its id. */
export interface AdvisoryFacts {
  /** CVSS base score and vector; null if they are not known. */
  readonly cvss: { readonly score: number; readonly vector: string } | null;
  /** It is in CISA’s catalog of known exploited vulnerabilities. */
  readonly exploited: boolean;
}

export interface Advisory extends AdvisoryFacts {
  readonly id: string;
  readonly url: string;
}

/** As many as an observation names. */
const most = 20;
const ids = /\b(?:CVE-\d{4}-\d{4,9}|GHSA(?:-[0-9a-z]{4}){3})\b/g;

/** The advisories whose ids an observation names, in its order. */
export function advisoriesNamedIn(seen: string, factsOf: (id: string) => AdvisoryFacts): readonly Advisory[] {
  const named = [...new Set(seen.match(ids))].slice(0, most);
  return named.map(id => ({
    id,
    url: id.startsWith('CVE-')
      ? `https://nvd.nist.gov/vuln/detail/${id}`
      : `https://github.com/advisories/${id}`,
    ...factsOf(id),
  }));
}
