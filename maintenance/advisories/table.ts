import { compareVersions } from '../../src/detectors/website/libraries/version.ts';
import { baseScore, baseVector, severityOf } from './cvss.ts';
import { githubAdvisories, vectors } from './github-facts.ts';
import { onServers, unnamedOnServers } from './on-servers.ts';
import { serverFrameworks } from './only-delays.ts';
import type { Advisory } from './read-retire.ts';

/** The table: by library, `from..below severity ids`, comma-separated, in order of the version that has the fix. */
export function tableOf(retire: readonly Advisory[]): Readonly<Record<string, string>> {
  const all = [...retire, ...githubAdvisories];
  const libraries = [...new Set(all.map(({ library }) => library))].sort();
  return Object.fromEntries(
    libraries.map(library => {
      const lines = all
        .filter(advisory => advisory.library === library)
        .sort((a, b) => compareVersions(a.below || '99999', b.below || '99999'))
        .map(advisory => `${rangeOf(advisory)} ${severityIn(advisory)} ${advisory.ids.join('+') || '-'}`);
      return [library, [...new Set(lines)].join(', ')];
    }),
  );
}

const rangeOf = ({ from, below }: Advisory) => `${from}..${below}`;

/** That of the score if the vectors of all ids are known, otherwise the list's. `delay` if only availability is affected. */
function severityIn({ library, severity, ids, onlyDelays = false }: Advisory): string {
  const isOnServers = ids.length === 0 ? unnamedOnServers.has(library) : ids.every(id => onServers.has(id));
  if (isOnServers) return 'info';
  const known = ids.flatMap(id => vectors[id] ?? []);
  if (known.length === 0 || known.length < ids.length) return onlyDelays ? 'delay' : severity;
  if (known.every(vector => /\/C:N\/I:N\//.test(vector)) && !serverFrameworks.has(library)) return 'delay';
  return severityOf(Math.max(...known.map(baseScore)));
}

/** The ids of a table. */
export function idsOf(table: Readonly<Record<string, string>>): ReadonlySet<string> {
  const ids = Object.values(table)
    .flatMap(ranges => ranges.split(', '))
    .flatMap(range => (range.split(' ')[2] ?? '-').split('+'));
  return new Set(ids.filter(id => id !== '-'));
}

/** By id: base score and vector, for the ids of a table whose vector is known. */
export function scoresOf(table: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const known = [...idsOf(table)].sort().flatMap(id => {
    const vector = vectors[id];
    return vector === undefined ? [] : [[id, `${baseScore(vector).toFixed(1)} ${baseVector(vector)}`]];
  });
  return Object.fromEntries(known) as Record<string, string>;
}
