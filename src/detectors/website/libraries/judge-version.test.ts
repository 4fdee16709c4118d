import { expect, it } from 'vitest';
import { advisories } from './advisories.ts';
import { advisoriesFor, judgeVersion } from './judge-version.ts';
import { knownLibraries } from './known-libraries.ts';
import { signatures } from './signatures.ts';

import { compareVersions } from './version.ts';

it.each([
  ['1.0', '1.0.0', 0],
  ['1.9.9', '1.10.0', -1],
  ['3.0.0-rc.1', '3.0.0', -1],
  ['3.0.0-beta1', '3.0.0-rc.1', -1],
  ['4.9.0-alpha.1', '4.9.0-beta.3', -1],
  ['1.9.0b1', '1.9.0', -1],
  ['1.0RC2', '1.0.1', -1],
  ['1.0.0-rc.1.1', '1.0.0-rc.1', 1],
  ['14.3.0-canary.77', '14.3.0-canary.8', 1],
  ['1.5.1.2', '1.5.1', 1],
])('%s against %s', (a, b, order) => {
  expect(Math.sign(compareVersions(a, b))).toBe(order);
  expect(Math.sign(compareVersions(b, a))).toBe(-order + 0);
});

it('does not compare builds that are not plain releases', () => {
  for (const odd of ['1.12.4-wp', '1.8.3+patched', 'latest', ''])
    expect(compareVersions(odd, '1.0.0')).toBeNaN();
});

it('has a table with valid entries only', () => {
  expect(Object.keys(advisories).sort()).toEqual(Object.keys(knownLibraries).sort());
  for (const [library, ranges] of Object.entries(advisories)) {
    for (const entry of ranges.split(', ')) {
      const match =
        /^(\S*?)\.\.(\S*) (?:info|delay|low|medium|high|critical) (?:-|(?:(?:CVE|GHSA)-[\w-]+\+?)+)$/.exec(
          entry,
        );
      expect(match, `${library}: ${entry}`).not.toBeNull();
      const [, from = '', below = ''] = match!;
      for (const bound of [from, below])
        if (bound !== '') expect(compareVersions(bound, '0'), bound).toBeGreaterThan(-1);
    }
  }
  for (const { library } of signatures) expect(Object.keys(knownLibraries)).toContain(library);
});

it('combines all advisories that apply to a version', () => {
  expect(judgeVersion('jquery', '3.4.1')).toMatchObject({
    severity: 'medium',
    // It is known to be exploited, the other is not.
    worst: { ids: ['CVE-2020-11023'], isExploited: true },
    ids: ['CVE-2020-11023', 'CVE-2020-11022'],
    count: 2,
    fixedIn: '3.5.0',
  });
  expect(judgeVersion('jquery', '3.5.0')).toBeNull();
  expect(judgeVersion('jquery-mobile', '1.4.5')?.fixedIn).toBeNull();
  expect(judgeVersion('lodash', '4.17.20')?.fixedIn).toBe('4.18.0');
  expect(judgeVersion('dompurify', '3.1.2')).toMatchObject({
    severity: 'critical',
    worst: { cvss: { score: 10 } },
  });
});

it('gives denial of service in a visitor’s own page a low severity', () => {
  expect(judgeVersion('moment', '2.29.3')).toMatchObject({
    severity: 'low',
    worst: { ids: ['CVE-2022-31129'], onlyDelays: true, cvss: { score: 7.5 } },
  });
  expect(judgeVersion('marked', '4.0.9')).toMatchObject({ severity: 'low', count: 2 });
  // By the list alone, both are high. The second is of the server.
  expect(judgeVersion('jquery', '3.0.0-rc.1')?.severity).toBe('medium');
  expect(advisoriesFor('next', '13.4.0').filter(({ onlyDelays }) => onlyDelays)).toEqual([]);
});

it('suggests only published versions', () => {
  // Vendors have a 3.4.2 and a 1.8.4 for their customers.
  expect(judgeVersion('bootstrap', '3.4.1')?.fixedIn).toBe('4.3.1');
  expect(judgeVersion('angularjs', '1.8.3')?.fixedIn).toBeNull();
});

it('reads advisories by the name of a package', () => {
  expect(advisoriesFor('@angular/core', '17.0.0').length).toBeGreaterThan(2);
  expect(advisoriesFor('pdfjs-dist', '3.0.1')).toEqual(advisoriesFor('pdfjs', '3.0.1'));
  expect(advisoriesFor('pdfjs-dist', '3.0.1').length).toBeGreaterThan(0);
  expect(advisoriesFor('constructor', '1.0.0')).toEqual([]);
});

it('treats a short version as any version that it may mean', () => {
  // Fixed in 2.9.4: the last 2.9 release is not vulnerable, the last 2.8 release is.
  expect(judgeVersion('chartjs', '2.9')).toBeNull();
  expect(judgeVersion('chartjs', '2.8')).not.toBeNull();
});

it('suggests a version without known vulnerabilities', () => {
  for (const [library, ranges] of Object.entries(advisories)) {
    for (const [from = ''] of ranges.split(', ').map(entry => entry.split('..'))) {
      const fixed = judgeVersion(library, from === '' ? '0.0.1' : from)?.fixedIn;
      if (fixed) expect(judgeVersion(library, fixed), `${library} ${fixed}`).toBeNull();
    }
  }
});
