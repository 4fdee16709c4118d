import { advisories } from './advisories.ts';
import { compareVersions } from './version.ts';

const severities = ['low', 'medium', 'high'] as const;

interface Advisory {
  readonly from: string;
  readonly below: string;
  readonly severity: (typeof severities)[number];
  /** CVE and GitHub ids; empty if there are none. */
  readonly ids: readonly string[];
}

/** The advisories for one version of a library. */
export interface Judgement {
  /** The highest severity of its advisories. */
  readonly severity: Advisory['severity'];
  readonly ids: readonly string[];
  /** The first version without a known vulnerability; null if there is none. */
  readonly fixedIn: string | null;
}

const table = new Map(
  Object.entries(advisories).map(([library, ranges]) => [library, ranges.split(', ').map(readAdvisory)]),
);

function readAdvisory(text: string): Advisory {
  const [range = '', severity = '', id = ''] = text.split(' ');
  const [from = '', below = ''] = range.split('..');
  return {
    from,
    below,
    // A browser contains one visitor's data, so nothing there is worse than high.
    severity: severity === 'critical' ? 'high' : (severities.find(name => name === severity) ?? 'medium'),
    ids: id === '-' ? [] : id.split('+'),
  };
}

/** Null if no vulnerability is known, or if the version cannot be compared. */
export function judgeVersion(library: string, version: string): Judgement | null {
  const applying = advisoriesFor(library, version);
  if (applying.length === 0) return null;
  const worst = Math.max(...applying.map(({ severity }) => severities.indexOf(severity)));
  return {
    severity: severities[worst] ?? 'medium',
    ids: [...new Set(applying.flatMap(({ ids }) => ids))],
    fixedIn: fixedIn(library, applying),
  };
}

/** `1.7` may mean any 1.7.x that a CDN chooses, so an advisory must apply to the first and the last. */
function advisoriesFor(library: string, version: string): readonly Advisory[] {
  const ends = /^\d+\.\d+$/.test(version) ? [version, `${version}.99999`] : [version];
  return (table.get(library) ?? []).filter(({ from, below }) =>
    ends.every(
      end =>
        (from === '' ? compareVersions(end, '0') : compareVersions(end, from)) >= 0 &&
        (below === '' || compareVersions(end, below) < 0),
    ),
  );
}

/** The version in which all applying advisories are fixed, unless another advisory applies to it. */
function fixedIn(library: string, applying: readonly Advisory[]): string | null {
  let open = applying;
  for (let step = 0; step < 20; step++) {
    if (open.some(({ below }) => below === '')) return null;
    const end = open
      .map(({ below }) => below)
      .sort(compareVersions)
      .at(-1)!;
    open = advisoriesFor(library, end);
    if (open.length === 0) return end;
  }
  return null;
}
