import { expect, it } from 'vitest';
import { compareVersions } from './compare-versions.ts';

it('orders versions by number, each prerelease before its release', () => {
  const ordered = ['0.2.0', '0.9.1', '0.10.0', '1.0.0-beta.2', '1.0.0-rc.2', '1.0.0-rc.10', '1.0.0', '1.0.1'];
  expect(ordered.toReversed().sort(compareVersions)).toEqual(ordered);
  expect(compareVersions('1.0.0', '1.0.0+build')).toBe(0);
});
