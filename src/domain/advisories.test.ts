import { expect, it } from 'vitest';
import { advisoriesNamedIn } from './advisories.ts';

const facts = { cvss: { score: 6.9, vector: 'CVSS:3.1/AV:N' }, exploited: true };
const unknown = { cvss: null, exploited: false };

it('links the advisories that an observation names, each once, with what is known', () => {
  const seen =
    'jQuery 1.12.4 has 3 known vulnerabilities, the worst CVE-2020-11023. Others: GHSA-gxr4-xjj5-5px2, CVE-2020-11023, XCVE-2020-1, CVE-1-2.';
  expect(advisoriesNamedIn(seen, id => (id === 'CVE-2020-11023' ? facts : unknown))).toEqual([
    { id: 'CVE-2020-11023', url: 'https://nvd.nist.gov/vuln/detail/CVE-2020-11023', ...facts },
    { id: 'GHSA-gxr4-xjj5-5px2', url: 'https://github.com/advisories/GHSA-gxr4-xjj5-5px2', ...unknown },
  ]);
  expect(advisoriesNamedIn('The server is Redis.', () => unknown)).toEqual([]);
});
