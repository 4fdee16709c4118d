import { onlyDelays } from './only-delays.ts';
import { nameOf } from './retire-names.ts';

/** An advisory for one range of a library's versions. */
export interface Advisory {
  readonly library: string;
  /** Empty: any version before `below`. */
  readonly from: string;
  /** Empty: all versions since `from`. */
  readonly below: string;
  readonly severity: string;
  /** It is about denial of service only. */
  readonly onlyDelays?: boolean;
  /** CVE ids, or the GitHub id if there are none; empty if there is neither. */
  readonly ids: readonly string[];
}

interface Entry {
  readonly below?: string;
  readonly atOrAbove?: string;
  readonly severity: string;
  readonly cwe?: readonly string[];
  readonly identifiers: {
    readonly CVE?: readonly string[];
    readonly githubID?: string;
    readonly summary?: string;
  };
}
type List = Readonly<Record<string, { readonly vulnerabilities?: readonly Entry[] }>>;

/** Retire.js's list for browsers (jsrepository-v6.json). End of life is no advisory and has a check of its own. */
export function readRetire(text: string): readonly Advisory[] {
  const list = JSON.parse(text) as List;
  return Object.entries(list).flatMap(([theirs, { vulnerabilities = [] }]) => {
    const library = nameOf(theirs);
    if (library === undefined) return [];
    return vulnerabilities
      .filter(({ identifiers }) => !/end.of.life/i.test(identifiers.summary ?? ''))
      .map(({ atOrAbove, below, severity, cwe = [], identifiers: { CVE = [], githubID, summary = '' } }) => ({
        library,
        from: atOrAbove === undefined || atOrAbove === '0' ? '' : atOrAbove,
        // A bound like 999.999.999 means all versions.
        below: below === undefined || /^\d{3,}\.|\.999/.test(below) ? '' : below,
        severity,
        onlyDelays: onlyDelays(library, cwe, summary),
        ids: CVE.length > 0 ? CVE : githubID === undefined ? [] : [githubID],
      }));
  });
}
