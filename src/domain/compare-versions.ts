/** Orders versions such as `0.10.0` and `1.0.0-rc.1` by semantic versioning: negative if the first is older. */
export function compareVersions(one: string, other: string): number {
  const [core, pre] = partsOf(one);
  const [otherCore, otherPre] = partsOf(other);
  const byCore = byNumbers(core, otherCore);
  if (byCore !== 0 || pre === otherPre) return byCore;
  // A version without a prerelease is newer than its prereleases.
  if (pre === '' || otherPre === '') return pre === '' ? 1 : -1;
  return byNumbers(pre, otherPre);
}

function partsOf(version: string): [core: string, pre: string] {
  const [, core = version, pre = ''] = /^([^-+]*)-?([^+]*)/.exec(version) ?? [];
  return [core, pre];
}

const byNumbers = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true });
