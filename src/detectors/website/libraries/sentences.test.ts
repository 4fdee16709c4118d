import { expect, it } from 'vitest';
import { pageWith } from '../hardened-capture.ts';
import { librariesDetector } from './detector.ts';

const seenOf = (path: string) =>
  librariesDetector
    .detect(pageWith({ body: `<!doctype html><p>Hello</p><script src="${path}"></script>` }))
    .observations.find(({ check }) => check === 'libraries.vulnerable')?.seen;

it('says in a short sentence which library is loaded, its worst vulnerability and the fixed version', () => {
  expect(seenOf('/js/jquery-3.4.1.min.js')).toMatch(
    /^jQuery 3\.4\.1 is loaded from "\/js\/jquery-3\.4\.1\.min\.js"\. The worst of 2 known vulnerabilities has medium severity \(CVSS 6\.9\) and is known to be exploited: CVE-2020-11023.*\. Update to 3\.\d+\.\d+ or later\. The others are CVE-2020-11022.*\. Vector of the score: CVSS:3\.1\/AV:N\/\S+\.$/,
  );
  expect(seenOf('/js/moment-2.29.3.min.js')).toMatch(
    /is loaded from .*\. Its known vulnerability only makes a visitor’s page hang: CVE-2022-31129.*\. Update to /,
  );
});
