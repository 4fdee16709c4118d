/** A release's numbers, and for prereleases their rank (`-alpha.2` before `-beta` before `-rc.1`). */
interface Version {
  readonly numbers: readonly number[];
  readonly stage: readonly number[] | null;
}

const stages = ['dev', 'canary', 'next', 'pre', 'alpha', 'a', 'beta', 'b', 'rc'];

/**
 * Undefined for builds that are not plain releases: a distributor's build (`1.12.4-wp`, `1.8.3+patched`) may
 * contain later fixes that its number does not show.
 */
function parse(text: string): Version | undefined {
  const match = /^(\d{1,6}(?:\.\d{1,6}){0,3})(?:[-.]?([a-z]{1,6})[-.]?(\d{0,6}(?:\.\d{1,6}){0,2}))?$/i.exec(
    text,
  );
  if (match === null) return undefined;
  const numbers = match[1]!.split('.').map(Number);
  if (match[2] === undefined) return { numbers, stage: null };
  const rank = stages.indexOf(match[2].toLowerCase());
  return rank < 0 ? undefined : { numbers, stage: [rank, ...(match[3] ?? '').split('.').map(Number)] };
}

/** Negative if a is older. NaN if one of them is not a plain release. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  if (left === undefined || right === undefined) return Number.NaN;
  return (
    compareLists(left.numbers, right.numbers) ||
    (left.stage === null || right.stage === null
      ? Number(left.stage === null) - Number(right.stage === null)
      : compareLists(left.stage, right.stage))
  );
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
