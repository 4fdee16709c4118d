import { randomBytes } from 'node:crypto';
import { goodHeaders, goodTls } from '../../../test/support/hardened-site.ts';
import { httpsServer } from '../../../test/support/website.ts';
import type { AccuracyCase, Family } from '../case.ts';
import { behaving, others, products, stating } from '../cookies/flawed.ts';
import { harmless } from '../cookies/harmless.ts';
import type { Row } from '../cookies/row.ts';
import { observatory } from '../specialists/observatory.ts';
import { document, handler, websiteCase } from '../website-case.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
const random: Readonly<Record<string, (length: number) => string>> = {
  hex: length => randomBytes(length).toString('hex').slice(0, length),
  text: length => [...randomBytes(length)].map(byte => alphabet[byte % 36]).join(''),
  mixed: length => randomBytes(length).toString('base64url').slice(0, length),
  digits: length => [...randomBytes(length)].map(byte => byte % 10).join(''),
};
const filled = (text: string) =>
  text.replace(/\{(\w+):(\d+)\}/g, (_, kind, length) => random[kind]!(Number(length)));

const body = document('', '<h1>Welcome</h1>');

function cookieCase([name, texts, flaws]: Row): AccuracyCase {
  const cookies = [texts].flat();
  const site = websiteCase({
    name,
    flaws: [flaws].flat().map(flaw => `cookies.${flaw}`),
    also: ['headers.cacheable_session'],
    start: () =>
      httpsServer(goodTls, (request, response) => {
        const isPage = request.url === '/';
        handler({ '/': body }, isPage ? { 'set-cookie': cookies.map(filled) } : {})(request, response);
      }),
  });
  return {
    ...site,
    material: JSON.stringify({ headers: { ...goodHeaders, 'set-cookie': cookies.map(filled) }, body }),
  };
}

/** Sessions in URLs. */
const link = (name: string, markup: string, flaws: readonly string[]): AccuracyCase => {
  const page = document('', markup);
  return {
    ...websiteCase({ name, answers: { '/': page }, flaws }),
    material: JSON.stringify({ headers: goodHeaders, body: page }),
  };
};
const inUrl = ['cookies.session_in_url'];

const links: readonly AccuracyCase[] = [
  link(
    'a session of Java in a link',
    '<a href="/results;jsessionid=8F3A5C7E9B1D2F468F3A5C7E9B1D2F46">Results</a>',
    inUrl,
  ),
  link(
    'a session of PHP in a link',
    '<a href="/results.php?PHPSESSID=9k3l2m1n0o9p8q7r6s5t4u3v2w">Results</a>',
    inUrl,
  ),
  link(
    'a session of ColdFusion in a link',
    '<a href="/results.cfm?CFID=4711&CFTOKEN=8f3a5c7e9b1d2f46">Results</a>',
    inUrl,
  ),
  link(
    'a session of a forum in a form',
    '<form action="/search?sid=0a1b2c3d4e5f60718293a4b5c6d7e8f9"><input name="q"></form>',
    inUrl,
  ),
  link(
    'talks, sections and a placeholder',
    '<a href="/talks?session_id=keynote2026opening">Talk</a> <a href="/map?sid=12">Map</a> <a href="/paid?session_id={CHECKOUT_SESSION_ID}">Paid</a>',
    [],
  ),
];

export const cookiesFamily: Family = {
  name: 'cookies',
  cases: [...[...products, ...behaving, ...stating, ...others, ...harmless].map(cookieCase), ...links],
  specialists: [observatory({ cookies: 'cookiesTest' })],
};
