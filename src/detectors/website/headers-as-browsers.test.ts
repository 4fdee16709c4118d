import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeWindows, sharedBrowser } from '../../../test/support/browser.ts';
import { httpServer, type TestServer } from '../../../test/support/website.ts';
import { allowsEverybody, frameAncestors } from './frame-ancestors.ts';
import { response } from './hardened-capture.ts';
import { cookiesSet } from './session-cookie.ts';

const ago = (ms: number) => new Date(Date.now() - ms).toUTCString();
const hour = 3_600_000;

const policies = [
  "frame-ancestors 'none'",
  'frame-ancestors *',
  'frame-ancestors http:',
  'frame-ancestors http://*',
  'frame-ancestors http://*:*',
  'Frame-Ancestors HTTP://*:*',
  'frame-ancestors *:*',
  "frame-ancestors *; frame-ancestors 'none'",
  "frame-ancestors 'none'; frame-ancestors *",
  "frame-ancestors *, frame-ancestors 'none'",
  "frame-ancestors 'self' *",
  'frame-ancestors\t*',
  'frame-ancestors',
  'frame-ancestors *.example',
  'frame-ancestors http://other.example',
  "default-src 'self'; frame-ancestors 'self'",
];

const cookies: readonly (readonly [attributes: string, date?: string])[] = [
  ['Path=/'],
  [`Expires=${ago(400 * 24 * hour)}`],
  [`Expires=${ago(400 * 24 * hour)}; Max-Age=3600`],
  [`Max-Age=3600; Expires=${ago(400 * 24 * hour)}`],
  [`Max-Age=0; Expires=${ago(-hour)}`],
  ['Max-Age=-1'],
  ['Max-Age=0'],
  ['Max-Age=3600; Max-Age=0'],
  ['Max-Age=0; Max-Age=3600'],
  [`Expires=${ago(-hour)}; Expires=${ago(hour)}`],
  [`Expires=${ago(hour)}; Expires=${ago(-hour)}`],
  [`Expires=${ago(399 * 24 * hour)}`, ago(400 * 24 * hour)],
  [`Expires=${ago(-hour)}`, ago(-2 * hour)],
  ['Expires=Wed, 21-Oct-55 07:28:00 GMT'],
  ['Expires=Wed, 21-Oct-75 07:28:00 GMT'],
  ['Expires=Thu, 01-Jan-1970 00:00:01 GMT'],
  ['Expires=Thu Jan 01 00:00:01 1970'],
  ['Expires=01/Jan/1970 00:00:01'],
  ['Expires=1970-01-01T00:00:01Z'],
  ['Expires=0'],
  ['Expires=-1'],
];

let site: TestServer;
beforeAll(async () => {
  site = await httpServer((request, answer) => {
    const index = Number(request.url!.split('/').at(-1));
    answer.setHeader('content-type', 'text/html');
    if (request.url!.startsWith('/cookie/')) {
      const [attributes, date] = cookies[index]!;
      answer.setHeader('set-cookie', `c${index}=v; ${attributes}`);
      if (date !== undefined) answer.setHeader('date', date);
    }
    answer.end('<!doctype html><p id=shown>x</p>');
  });
});
afterAll(async () => {
  await closeWindows(await sharedBrowser());
  await site?.close();
});

it('treats a policy as open to every site if Chromium frames it', { timeout: 60_000 }, async () => {
  const page = await (await (await sharedBrowser()).newContext()).newPage();
  // A different site than that of the frames, on the default port.
  const body = policies.map((_, at) => `<iframe src="http://framed.test/${at}"></iframe>`).join('');
  await page.route('http://framed.test/*', route =>
    route.fulfill({
      contentType: 'text/html',
      headers: { 'content-security-policy': policies[Number(route.request().url().split('/').at(-1))]! },
      body: '<p id=shown>x</p>',
    }),
  );
  await page.route('http://other-site.test/', route => route.fulfill({ contentType: 'text/html', body }));
  await page.goto('http://other-site.test/');
  const framed = await Promise.all(
    page
      .frames()
      .slice(1)
      .map(async frame => [frame.url(), await frame.locator('#shown').count()] as const),
  );
  const inBrowser = policies.filter((_, index) =>
    framed.some(([url, shown]) => url.endsWith(`/${index}`) && shown === 1),
  );
  const open = policies.filter(policy => {
    const page = response('http://127.0.0.1/', { headers: [['content-security-policy', policy]] });
    return frameAncestors(page).every(sources => sources.some(allowsEverybody));
  });
  expect(open).toEqual(inBrowser);
  expect(open).toContain('frame-ancestors http://*:*');
});

it('treats a cookie as deleted if Chromium stores none', { timeout: 60_000 }, async () => {
  const context = await (await sharedBrowser()).newContext();
  const page = await context.newPage();
  for (const index of cookies.keys()) await page.goto(`http://127.0.0.1:${site.port}/cookie/${index}`);
  const kept = new Set(
    (await context.cookies(`http://127.0.0.1:${site.port}/cookie/`)).map(({ name }) => name),
  );
  const set = cookies.map(([attributes, date], index) => {
    const headers: [string, string][] = [['set-cookie', `c${index}=v; ${attributes}`]];
    if (date !== undefined) headers.push(['date', date]);
    const answer = response('http://127.0.0.1/', { headers });
    return [attributes, cookiesSet(answer, new Date().toISOString()).length === 1];
  });
  expect(set).toEqual(cookies.map(([attributes], index) => [attributes, kept.has(`c${index}`)]));
});
