import { expect, it } from 'vitest';
import { formerPlaces, isInFullScan } from './places.ts';

it('takes the end of a place for that of full scans only in checks that have such places', () => {
  expect(isInFullScan('libraries.vulnerable', 'https://a.example jquery@1, full scan')).toBe(true);
  expect(isInFullScan('exposure.source_map', 'https://a.example/a.css.map#full-scan')).toBe(true);
  for (const place of [
    'role x, full scan',
    'app.t#full-scan',
    'https://a.example/s parameter q, full scan',
  ]) {
    expect(isInFullScan('postgres.extra_superuser', place)).toBe(false);
    expect(formerPlaces('postgres.extra_superuser', place)).toEqual([]);
  }
});
