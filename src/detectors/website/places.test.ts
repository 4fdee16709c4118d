import { expect, it } from 'vitest';
import type { WebsiteCapture } from '../../captures/website.ts';
import { cspDetector } from './csp/detector.ts';
import { exposureDetector } from './exposure/detector.ts';
import {
  captureWith,
  exposureWith,
  home,
  notSeen,
  response,
  seen,
  tlsWith,
  weakCiphers,
} from './hardened-capture.ts';
import { pageDetector } from './page/detector.ts';
import { reflectionDetector } from './reflection/detector.ts';
import { tlsDetector } from './tls/detector.ts';
import { transportDetector } from './transport/detector.ts';

/** The places that a check assessed, without the origin; undefined if it assessed everything. */
function lookedAt({ places }: ReturnType<typeof exposureDetector.detect>, check: string) {
  const origin = home.slice(0, -1);
  return places?.get(check) && [...places.get(check)!].map(place => place.replace(origin, ''));
}

function exposed(
  changes: Parameters<typeof exposureWith>[0],
  leftOut: readonly 'source_map'[] = [],
): WebsiteCapture {
  const exposure = exposureWith(changes);
  if (!exposure.assessed) throw new Error('the hardened site is assessed');
  const url = `${home}app.js.map`;
  const map = {
    path: '/app.js.map',
    kind: 'source_map',
    response: seen(response(url, { status: 404 })),
  } as const;
  const probes = [...exposure.value.probes, map];
  return captureWith({ exposure: seen({ ...exposure.value, probes, left_out: leftOut }) });
}

it('lists the files that it requested', () => {
  const looked = lookedAt(
    exposureDetector.detect(exposed({ '/.npmrc': 'not seen' })),
    'exposure.secrets_file',
  );
  expect(looked).toContain('/.env');
  expect(looked).not.toContain('/.npmrc');
  expect(looked).not.toContain('/elsewhere/.env');
});

it('assesses a repository if all of its files had a response', () => {
  const repositories = (changes: Parameters<typeof exposureWith>[0]) =>
    lookedAt(exposureDetector.detect(exposed(changes)), 'exposure.version_control');
  expect(repositories({})).toContain('/.git/');
  expect(repositories({ '/.git/config': 'not seen' })).not.toContain('/.git/');
});

it('assesses source maps if it requested all that the page names', () => {
  const check = 'exposure.source_map';
  expect(lookedAt(exposureDetector.detect(exposed({})), check)).toEqual([' source map']);
  expect(lookedAt(exposureDetector.detect(exposed({}, ['source_map'])), check)).toEqual([]);
});

it('assesses cipher suites everywhere, unless some were not offered', () => {
  const look = (weak: ReturnType<typeof weakCiphers>) =>
    lookedAt(tlsDetector.detect(captureWith({ tls: tlsWith({ weak_ciphers: weak }) })), 'tls.weak_cipher');
  expect(look(weakCiphers(['TLS_RSA_WITH_RC4_128_SHA']))).toBeUndefined();
  expect(look(weakCiphers(['TLS_RSA_WITH_RC4_128_SHA'], false))).toEqual([' TLS_RSA_WITH_RC4_128_SHA']);
});

it('lists the folders that it requested', () => {
  const exposure = exposureWith({});
  if (!exposure.assessed) throw new Error('the hardened site is assessed');
  const folder = (path: string, answer: ReturnType<typeof notSeen> | ReturnType<typeof seen>) =>
    ({ path, kind: 'directory', response: answer }) as (typeof exposure.value.probes)[number];
  const probes = [
    folder('/images/', seen(response(`${home}images/`, { body: '' }))),
    folder('/slow/', notSeen()),
  ];
  const capture = captureWith({ exposure: seen({ ...exposure.value, probes }) });
  expect(lookedAt(pageDetector.detect(capture), 'page.directory_listing')).toEqual(['/', '/images/']);
});

it('lists the parameters that it tested', () => {
  const url = `${home}search`;
  const probe = (name: string, answer: ReturnType<typeof notSeen> | ReturnType<typeof seen>) =>
    ({
      url,
      parameters: [{ name, marker: 'p0' }],
      harmless: seen({ status: 200, title: '', echoed: [] }),
      response: answer,
    }) as never;
  const capture = captureWith({
    reflections: seen([probe('q', seen(response(url))), probe('slow', notSeen())]),
  });
  const places = lookedAt(reflectionDetector.detect(capture), 'reflection.parameter_as_markup');
  expect(places).toEqual(['/search parameter q']);
});

/** The number of places that a check observes on a page, and whether it reports that others are left out. */
function placesOn(
  detector: { detect(capture: WebsiteCapture): ReturnType<typeof pageDetector.detect> },
  check: string,
  page: Parameters<typeof response>[1],
) {
  const { observations, notAssessed } = detector.detect(captureWith({ page: seen(response(home, page)) }));
  return [
    observations.filter(entry => entry.check === check).length,
    notAssessed.some(entry => entry.check === check),
  ];
}

it.each([
  [
    'page.no_integrity',
    pageDetector,
    (index: number) => `<script src="https://a${index}.example.net/a.js"></script>`,
  ],
  [
    'transport.mixed_content',
    transportDetector,
    (index: number) => `<script src="http://a${index}.example.net/a.js"></script>`,
  ],
  [
    'transport.insecure_form',
    transportDetector,
    (index: number) => `<form action="http://a${index}.example.net/"></form>`,
  ],
])('reports every place of %s, or that there are more', (check, detector, part) => {
  const page = (count: number) => ({
    headers: [['content-type', 'text/html']] as [string, string][],
    body: `<!doctype html><title>x</title>${Array.from({ length: count }, (_, index) => part(index)).join('')}`,
  });
  expect(placesOn(detector, check, page(60))).toEqual([60, false]);
  expect(placesOn(detector, check, page(600))).toEqual([500, true]);
});

it('finds flaws after much harmless content', () => {
  const times = (count: number, part: string) => Array.from({ length: count }, () => part).join('');
  const own = '<a href="/" target="_blank" rel="opener">x</a>';
  const foreign = '<a href="https://other.example.net/" target="_blank" rel="opener">x</a>';
  const links = { body: `<!doctype html>${times(60, own)}${foreign}` };
  expect(placesOn(pageDetector, 'page.opener', links)).toEqual([1, false]);
  const url = 'https://10.0.0.1/';
  const body = `<!doctype html>${times(60, '<!-- 10.0.0.1 -->')}<!-- 10.0.0.2 -->`;
  expect(placesOn(pageDetector, 'page.private_address', { url, body })).toEqual([1, false]);
});

it('reports every part of a policy that browsers ignore', () => {
  const parts = Array.from({ length: 60 }, (_, index) => `unknown-${index} x`);
  const headers = [
    ['content-type', 'text/html'],
    ['content-security-policy', `default-src 'self'; ${parts.join('; ')}`],
  ] as [string, string][];
  expect(placesOn(cspDetector, 'csp.invalid', { headers })).toEqual([60, false]);
});
