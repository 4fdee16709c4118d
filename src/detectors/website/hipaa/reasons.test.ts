import { expect, it } from 'vitest';
import type { WebsiteCapture } from '../../../captures/website.ts';
import { captureWith, home, pageWith, response, seen } from '../hardened-capture.ts';
import { hipaaDetector } from './detector.ts';

const reasonOf = (capture: WebsiteCapture, check: string) =>
  hipaaDetector.detect(capture).notAssessed.find(one => one.check === `hipaa.${check}`)?.reason;
const page = (links: string) =>
  pageWith({ body: `<!doctype html><p>Welcome to the portal</p>${links}<script src="/app.js"></script>` });

it.each([
  ['', 'The markup of the page has no links, and its scripts may add some.'],
  ['<a href="/a">A</a>', 'The markup of the page has only 1 link, and its scripts may add more.'],
  [
    '<a href="/a">A</a><a href="/b">B</a>',
    'The markup of the page has only 2 links, and its scripts may add more.',
  ],
  ['<a href="/a">A</a><a href="/b">B</a><a href="/c">C</a>', undefined],
])('says how many links a page without a privacy notice has: %s', (links, reason) => {
  expect(reasonOf(page(links), 'no_privacy_notice')).toBe(reason);
});

it.each([
  ['none', home, 'The source has no credential, so no page behind a login was requested.'],
  ['withheld', home, 'The source’s credential was not sent, because the connection was not secure.'],
  [
    'sent',
    'https://www.example.com/',
    'The page is of another origin, to which the source’s credential is not sent.',
  ],
  ['sent', home, undefined],
] as const)('says why no page behind a login was seen: credential %s, page %s', (credential, url, reason) => {
  const capture = captureWith({
    credential,
    page: seen(response(url, { body: '<!doctype html><p>Hello</p>' })),
  });
  expect(reasonOf(capture, 'authenticated_page_cacheable')).toBe(reason);
});
