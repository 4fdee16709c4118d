import { expect, it } from 'vitest';
import { isMasked } from '../../captures/places.ts';
import type { WebsiteCapture } from '../../captures/website.ts';
import type { Detector } from '../detector.ts';
import { cspDetector } from './csp/detector.ts';
import { exposureDetector } from './exposure/detector.ts';
import {
  captureWith,
  exposureWith,
  headersWith,
  home,
  pageWith,
  response,
  seen,
} from './hardened-capture.ts';
import { injectionDetector } from './injection/detector.ts';

const secret = ['4eC39HqLyjW', 'DarjtT1zdp7dc'].join('');
const token = `sk_${'live'}_${secret}`;
const [origin] = home.split(/(?<=[^/])\/(?!\/)/);

function exposing(path: string, kind: 'named' | 'graphql', body: string): WebsiteCapture {
  const exposure = exposureWith({});
  if (!exposure.assessed) throw new Error('the hardened site is assessed');
  const probe = { path, kind, response: seen(response(origin + path, { headers: [], body })) };
  return captureWith({ exposure: seen({ ...exposure.value, probes: [...exposure.value.probes, probe] }) });
}

const usual = seen(response(`${home}search`, { body: '<p>None' }));
const body =
  'You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version';
const injected = (url: string, parameter: string) =>
  captureWith({
    injections: seen({
      probes: [
        {
          url,
          parameter,
          kind: 'sql',
          sent: "'",
          word: 'p0',
          usual,
          response: seen(response(url, { body })),
        },
      ],
      left_out: null,
    }),
  });

it.each<[string, Detector<WebsiteCapture>, WebsiteCapture, string]>([
  [
    'the path of a file',
    exposureDetector,
    exposing(
      `/${token}/dump.sql`,
      'named',
      '-- MySQL dump 10.13\nCREATE TABLE `a` (`b` int);\nINSERT INTO `a` VALUES (1);',
    ),
    `${origin}/sk_live_[masked]/dump.sql`,
  ],
  [
    'the path of an endpoint',
    exposureDetector,
    exposing(`/${token}/graphql`, 'graphql', '{"data":{"__schema":{"queryType":{"name":"Query"}}}}'),
    `${origin}/sk_live_[masked]/graphql`,
  ],
  [
    'the path of a link',
    injectionDetector,
    injected(`${home}${token}/a`, 'q'),
    `${home}sk_live_[masked]/a parameter q`,
  ],
  ['a parameter', injectionDetector, injected(`${home}a`, token), `${home}a parameter sk_live_[masked]`],
  [
    'a policy',
    cspDetector,
    pageWith({
      headers: headersWith({
        'content-security-policy': `script-src http://cdn.example/${token}/; object-src 'none'; base-uri 'none'; form-action 'self'`,
      }),
    }),
    `${origin} script-src http://cdn.example/sk_live_[masked]/`,
  ],
])('masks a token in %s', (_, detector, capture, locator) => {
  const { observations, notAssessed, places } = detector.detect(capture);
  expect(observations.map(observation => observation.locator)).toContain(locator);
  const all = JSON.stringify([observations, notAssessed, [...(places ?? [])].map(([, names]) => [...names])]);
  expect(all.toLowerCase()).not.toContain(secret.toLowerCase());
  const masked = observations.filter(observation => isMasked(observation.locator));
  for (const { check, locator } of masked)
    if (places?.has(check)) expect(places.get(check)).toContain(locator);
});

it('quotes only the account of a file with passwords', () => {
  const hash = '$6$saltsalt$kq9Ck1yJtQXk1yJtQXkq9Ck1yJtQXkq9Ck1yJtQX/3u1';
  const url = `${home}read`;
  const probe = { url, parameter: 'file', kind: 'file', sent: '../etc/passwd', word: 'p0', usual } as const;
  const answer = seen(response(url, { body: `root:${hash}:0:0:root:/root:/bin/sh\n` }));
  const { observations } = injectionDetector.detect(
    captureWith({ injections: seen({ probes: [{ ...probe, response: answer }], left_out: null }) }),
  );
  expect(observations.map(({ seen }) => seen)).toEqual([
    'The parameter "file" with "../etc/passwd" returns a file of the server: "root:…:0:0".',
  ]);
});
