import { expect, it } from 'vitest';
import { paths } from '../../paths.ts';
import { targetPath } from './target-path.ts';

const to = {
  section: (
    ...rest: [section: Parameters<typeof paths.section>[1], query?: Parameters<typeof paths.section>[2]]
  ) => paths.section('a', ...rest),
  object: (section: Parameters<typeof paths.object>[1], id: string) => paths.object('a', section, id),
};
const path = (kind: Parameters<typeof targetPath>[0]['kind']) =>
  targetPath({ kind, id: 'x', name: null }, to);

it('leads to the page of the target, and nowhere if it has none', () => {
  expect(path('source')).toBe('/o/a/sources/x');
  expect(path('scan')).toBe('/o/a/scans/x');
  expect(path('finding')).toBe('/o/a/findings?status=any&finding=x');
  expect(path('control')).toBe('/o/a/controls?control=x');
  expect(path('invitation')).toBe('/o/a/settings/people');
  expect(path('organization')).toBeUndefined();
});
