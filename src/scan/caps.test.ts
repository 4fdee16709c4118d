import { expect, it } from 'vitest';
import { clientAnswering } from '../../test/support/answering-servers.ts';
import { targetLimits } from '../captures/limits.ts';
import { detectorsFor } from '../detectors/catalogue.ts';
import type { Detector, Surface } from '../detectors/detector.ts';
import { mysqlWith } from '../detectors/mysql/hardened-capture.ts';
import { redisWith } from '../detectors/redis/hardened-capture.ts';
import {
  captureWith,
  headersWith,
  home,
  pageWith,
  response,
  seen,
} from '../detectors/website/hardened-capture.ts';
import { maxRows } from '../surfaces/mysql/query.ts';
import { readUsers } from '../surfaces/mysql/read-rows.ts';
import { maxEntries, maxSelectors, readUsers as readRedisUsers } from '../surfaces/redis/read-replies.ts';
import { probeReflection } from '../surfaces/website/reflection.ts';
import { runDetectors } from './run-detectors.ts';

/** Checks that reached a cap on what they read are not assessed, with the reason. */

interface Cap {
  readonly limit: number;
  readonly surface: Surface;
  /** A capture with this many parts. */
  readonly of: (count: number) => unknown;
  readonly checks: readonly string[];
  /** Checks that fail for the capture at the limit. */
  readonly finds?: readonly string[];
}

const html = { 'content-type': 'text/html' };
const pageOf = (body: string) => pageWith({ headers: headersWith(html), body });
const many = <T>(count: number, of: (index: number) => T) => Array.from({ length: count }, (_, at) => of(at));

async function reflectionsOf(body: string) {
  const page = response(home, { headers: headersWith(html), body });
  return captureWith({
    page: seen(page),
    reflections: seen(await probeReflection(clientAnswering(response(home)), page, null, undefined)),
  });
}

const user = (length: number) => `http://${'u'.repeat(length - '@evil.example'.length)}@evil.example/a`;
const ofPage = ['transport.insecure_form', 'page.no_integrity', 'page.opener'];

const caps: Readonly<Record<string, Cap>> = {
  'captures/limits.ts targetLimits.authority': {
    limit: targetLimits.authority,
    surface: 'website',
    of: count =>
      pageOf(
        `<form action="${user(count)}"></form><script src="${user(count)}"></script><a target=_blank rel=opener href="${user(count)}">a</a>`,
      ),
    checks: ofPage,
    finds: ofPage,
  },
  'surfaces/website/offers/offered-parameters.ts maxProbes': {
    limit: 30,
    surface: 'website',
    of: count => reflectionsOf(many(count - 1, index => `<a href="/${index}?a=b">`).join('')),
    checks: ['reflection.parameter_as_markup'],
  },
  'surfaces/website/offers/offered-parameters.ts maxParameters': {
    limit: 12,
    surface: 'website',
    of: count => reflectionsOf(`<a href="/?${many(count, index => `a${index}=b`).join('&amp;')}">`),
    checks: ['reflection.parameter_as_markup'],
  },
  'surfaces/redis/read-replies.ts maxSelectors': {
    limit: maxSelectors,
    surface: 'redis',
    of: count => ({
      ...redisWith(),
      users: seen(readRedisUsers([['user default off', `user shop off${' (+get)'.repeat(count)}`]])),
    }),
    checks: ['redis.user_no_password', 'redis.user_administrative'],
  },
  'surfaces/redis/read-replies.ts maxEntries': {
    limit: maxEntries,
    surface: 'redis',
    of: count => ({
      ...redisWith(),
      users: seen(
        readRedisUsers([many(count, index => (index === 0 ? 'user default off' : 'user shop off'))]),
      ),
    }),
    checks: ['redis.user_no_password', 'redis.user_administrative'],
  },
  'surfaces/mysql/queries.ts maxRows': {
    limit: maxRows,
    surface: 'mysql',
    of: count => ({
      ...mysqlWith({ basedir: '/rdsdbbin/mysql/' }),
      plaintext_users: seen(readUsers(many(count, () => ({ user: 'rdsadmin' })))),
    }),
    checks: ['mysql.plaintext_session'],
  },
};

function outcomesIn(surface: Surface, capture: unknown) {
  const detectors = detectorsFor(surface) as readonly Detector<unknown>[];
  const detections = runDetectors(detectors, capture).map(({ detection }) => detection!);
  return {
    observed: detections.flatMap(({ observations }) => observations.map(({ check }) => check)),
    notAssessed: detections.flatMap(({ notAssessed }) => notAssessed.map(({ check }) => check)),
  };
}

it.each(Object.entries(caps))('the outcome names %s once the cap is reached', async (_, cap) => {
  const { limit, surface, of, checks, finds = [] } = cap;
  const below = outcomesIn(surface, await of(limit));
  expect(below.notAssessed.filter(check => checks.includes(check))).toEqual([]);
  expect(below.observed).toEqual(expect.arrayContaining([...finds]));
  expect(outcomesIn(surface, await of(limit + 1)).notAssessed).toEqual(expect.arrayContaining([...checks]));
});

/** Work in linear time needs no cap: former caps hid the last items of these. */
it.each<[string, string, string]>([
  [
    'the last of 1,000 parameters',
    `<a href="/?${many(1_000, index => `a${index}`).join('&amp;')}&amp;patient_id=x">`,
    'hipaa.health_terms_in_url',
  ],
  [
    'a name in many namespaces',
    `<a href="/?${many(60, () => 'a').join('.')}.patient_id=x">`,
    'hipaa.health_terms_in_url',
  ],
  [
    'a field of a long name',
    `<form action=/a method=get><input name="${'a.'.repeat(200)}ssn"></form>`,
    'hipaa.health_terms_in_url',
  ],
  [
    'the last of many relations',
    `<a target=_blank href="https://a.example/" rel="${'a '.repeat(50)}opener">`,
    'page.opener',
  ],
  [
    'the last of many sources',
    `<img srcset="${'https://[, '.repeat(3_000)}http://a.example/b">`,
    'transport.mixed_content',
  ],
  [
    'a version that was assigned long before',
    `<script>var f="1.12.4",${'f=1,'.repeat(500)}g=0;a.prototype={jquery:f,constructor:a}</script>`,
    'libraries.vulnerable',
  ],
])('finds %s', (_, body, check) => {
  expect(outcomesIn('website', pageOf(body)).observed).toContain(check);
});
