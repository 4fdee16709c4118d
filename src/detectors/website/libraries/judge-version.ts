import type { Severity } from '../../../contract/severity.ts';
import { advisories, unpublished } from './advisories.ts';
import { exploited, scores } from './advisory-scores.ts';
import { libraryNamed } from './known-libraries.ts';
import { compareVersions } from './version.ts';

const severities = ['info', 'low', 'medium', 'high', 'critical'] as const satisfies readonly Severity[];

/** One published vulnerability, for a range of a library's versions. */
export interface Advisory {
  readonly from: string;
  readonly below: string;
  /** By the CVSS base score, if it is known. `info`: only Node.js is affected. `low` if a page only hangs. */
  readonly severity: (typeof severities)[number];
  /** It is about denial of service only, which in a browser affects the visitor's own page. */
  readonly onlyDelays: boolean;
  /** CVE and GitHub ids; empty if there are none. */
  readonly ids: readonly string[];
  /** CVSS base score and vector; null if they are not known. */
  readonly cvss: { readonly score: number; readonly vector: string } | null;
  /** It is in CISA's catalog of known exploited vulnerabilities. */
  readonly isExploited: boolean;
}

/** The advisories for one version of a library. */
export interface Judgement {
  /** The highest severity of its advisories. */
  readonly severity: Advisory['severity'];
  /** The advisory with the highest severity and score; exploited ones first. */
  readonly worst: Advisory;
  /** The ids of all advisories, that of the most severe first. */
  readonly ids: readonly string[];
  /** How many advisories there are, including those without an id. */
  readonly count: number;
  /** The nearest published version without a known vulnerability; null if there is none. */
  readonly fixedIn: string | null;
}

const table = new Map(
  Object.entries(advisories).map(([library, ranges]) => [library, ranges.split(', ').map(readAdvisory)]),
);

const nextReleases = new Map(
  Object.entries(unpublished).map(([library, bounds]) => [
    library,
    new Map(bounds.split(', ').map(bound => bound.split(' ') as [string, string])),
  ]),
);

function readAdvisory(text: string): Advisory {
  const [range = '', severity = '', id = ''] = text.split(' ');
  const [from = '', below = ''] = range.split('..');
  const ids = id === '-' ? [] : id.split('+');
  const cvss = ids
    .flatMap(each => scores[each] ?? [])
    .map(each => each.split(' '))
    .map(([score, vector = '']) => ({ score: Number(score), vector }))
    .sort((a, b) => b.score - a.score)[0];
  return {
    from,
    below,
    severity: severity === 'delay' ? 'low' : (severities.find(name => name === severity) ?? 'medium'),
    onlyDelays: severity === 'delay',
    ids,
    cvss: cvss ?? null,
    isExploited: ids.some(each => exploited.ids.includes(each)),
  };
}

/**
 * Null if no vulnerability is known, or if the version cannot be compared.
 * @param oldest if only a range is known: an advisory must apply to its first version too
 */
export function judgeVersion(library: string, version: string, oldest = version): Judgement | null {
  const ofAll = new Set(advisoriesFor(library, oldest));
  const applying = advisoriesFor(library, version)
    .filter(advisory => ofAll.has(advisory))
    .sort(byWeight);
  const [worst] = applying;
  if (worst === undefined) return null;
  return {
    severity: worst.severity,
    worst,
    ids: [...new Set(applying.flatMap(({ ids }) => ids))],
    count: new Set(applying.map(({ ids }, index) => ids.join('+') || index)).size,
    fixedIn: fixedIn(library, applying),
  };
}

const byWeight = (a: Advisory, b: Advisory) =>
  severities.indexOf(b.severity) - severities.indexOf(a.severity) ||
  Number(b.isExploited) - Number(a.isExploited) ||
  (b.cvss?.score ?? 0) - (a.cvss?.score ?? 0) ||
  b.ids.length - a.ids.length;

/**
 * The advisories for a version of a library, by its key or the name of its package. `1.7` may mean any 1.7.x
 * that a CDN chooses, so an advisory must apply to the first and the last.
 */
export function advisoriesFor(name: string, version: string): readonly Advisory[] {
  const ends = /^\d+\.\d+$/.test(version) ? [version, `${version}.99999`] : [version];
  return (table.get(libraryNamed(name) ?? '') ?? []).filter(({ from, below }) =>
    ends.every(
      end =>
        (from === '' ? compareVersions(end, '0') : compareVersions(end, from)) >= 0 &&
        (below === '' || compareVersions(end, below) < 0),
    ),
  );
}

/** The published version in which all applying advisories are fixed, unless another advisory applies to it. */
function fixedIn(library: string, applying: readonly Advisory[]): string | null {
  let open = applying;
  for (let step = 0; step < 20; step++) {
    if (open.some(({ below }) => below === '')) return null;
    const end = open
      .map(({ below }) => below)
      .sort(compareVersions)
      .at(-1)!;
    const release = nextReleases.get(library)?.get(end) ?? end;
    if (release === '-') return null;
    open = advisoriesFor(library, release);
    if (open.length === 0) return release;
  }
  return null;
}
