import { compareVersions } from '../../src/detectors/website/libraries/version.ts';
import type { Advisory } from './read-retire.ts';

type Range = Pick<Advisory, 'from' | 'below'>;

/** By library, the ranges of versions that have an advisory, joined where they overlap: `from..below, ...`. */
export function flaggedRanges(advisories: readonly Advisory[]): Readonly<Record<string, string>> {
  const libraries = [...new Set(advisories.map(({ library }) => library))].sort();
  return Object.fromEntries(
    libraries.map(library => {
      const ranges = advisories.filter(advisory => advisory.library === library);
      return [
        library,
        joined(ranges)
          .map(({ from, below }) => `${from}..${below}`)
          .join(', '),
      ];
    }),
  );
}

function joined(ranges: readonly Range[]): readonly Range[] {
  const inOrder = [...ranges].sort((a, b) => compareVersions(a.from || '0', b.from || '0'));
  const result: Range[] = [];
  for (const range of inOrder) {
    const last = result.at(-1);
    if (last !== undefined && (last.below === '' || compareVersions(range.from || '0', last.below) <= 0)) {
      const isLonger =
        range.below === '' || (last.below !== '' && compareVersions(range.below, last.below) > 0);
      if (isLonger) result[result.length - 1] = { from: last.from, below: range.below };
    } else {
      result.push(range);
    }
  }
  return result;
}
