import type http from 'node:http';
import { goodTls, siteName } from '../../../test/support/hardened-site.ts';
import { httpsServer } from '../../../test/support/website.ts';
import type { AccuracyCase, Family } from '../case.ts';
import { type Answers, document, handler, websiteCase } from '../website-case.ts';

/** How servers decide whether to allow an origin, as their code does it. */
const decisions: Readonly<Record<string, (origin: string) => boolean>> = {
  any: () => true,
  'any but null': origin => origin !== 'null',
  prefix: origin => origin.startsWith(`https://${siteName}`),
  'prefix of the domain': origin => origin.startsWith('https://portal.'),
  suffix: origin => origin.endsWith('clinic.com'),
  'suffix of the URL': origin => /clinic\.com$/.test(origin),
  contains: origin => origin.includes('clinic.com'),
  'unescaped dot': origin => /^https:\/\/portal.clinic.com$/.test(origin),
  subdomain: origin => /^https:\/\/(?:[\w-]+\.)?clinic\.com$/.test(origin),
  'any scheme': origin => /^https?:\/\/portal\.clinic\.com$/.test(origin),
  localhost: origin => origin === `https://${siteName}` || /^https?:\/\/localhost(?::\d+)?$/.test(origin),
  null: origin => origin === 'null' || origin === `https://${siteName}`,
  list: origin => [`https://${siteName}`, 'https://www.clinic.com'].includes(origin),
  none: () => false,
};

const flawsOf: Readonly<Record<string, readonly string[]>> = {
  any: ['foreign', 'null'],
  'any but null': ['foreign'],
  prefix: ['lookalike'],
  'prefix of the domain': ['lookalike'],
  suffix: ['suffix'],
  'suffix of the URL': ['suffix'],
  contains: ['lookalike', 'suffix'],
  'unescaped dot': ['dot'],
  subdomain: ['subdomain'],
  'any scheme': ['plain_http'],
  localhost: ['localhost'],
  null: ['null'],
  list: [],
  none: [],
};

/** Where the permission is sent. */
type Place = 'page' | 'endpoint' | 'preflight';

const body = document('<script src="/app.js"></script>', '<h1>Portal</h1>');
const answers: Answers = {
  '/': body,
  '/app.js': 'fetch("/api/patients").then(r=>r.json()).then(show)',
  '/api/patients': { headers: { 'content-type': 'application/json' }, body: '{"patients":[]}' },
};

function serving(
  decide: (origin: string) => boolean,
  place: Place,
  credentials: boolean,
  varies: boolean,
): http.RequestListener {
  const usual = handler(answers);
  const path = place === 'page' ? '/' : '/api/patients';
  return (request, response) => {
    const { origin } = request.headers;
    const isAsked = request.url === path && (place === 'preflight') === (request.method === 'OPTIONS');
    if (isAsked && varies) response.setHeader('vary', 'Origin');
    if (isAsked && origin !== undefined && decide(origin)) {
      response.setHeader('access-control-allow-origin', origin);
      if (credentials) response.setHeader('access-control-allow-credentials', 'true');
      if (place === 'preflight') response.setHeader('access-control-allow-methods', 'PUT, DELETE');
    }
    usual(request, response);
  };
}

function corsCase(name: string, place: Place, credentials: boolean, varies = true): AccuracyCase {
  const expected = credentials ? flawsOf[name]!.map(kind => `cors.reflects_origin ${kind}`) : [];
  // A preflight asks for any origin; that of others would be the same finding.
  const flaws = place === 'preflight' ? expected.slice(0, 1) : expected;
  return websiteCase({
    name: `${name}, ${place}${credentials ? '' : ', without credentials'}${varies ? '' : ', without Vary'}`,
    flaws: place === 'preflight' ? [] : flaws,
    inFullScans: place === 'preflight' ? flaws : [],
    start: () => httpsServer(goodTls, serving(decisions[name]!, place, credentials, varies)),
  });
}

export const corsFamily: Family = {
  name: 'cors',
  cases: [
    ...Object.keys(decisions).flatMap(name => [
      corsCase(name, 'page', true),
      corsCase(name, 'endpoint', true),
    ]),
    ...['any', 'list', 'none'].flatMap(name => [
      corsCase(name, 'preflight', true),
      corsCase(name, 'page', false),
      corsCase(name, 'endpoint', false),
    ]),
    // Code that sends headers to allowed origins only.
    ...['any', 'prefix', 'suffix', 'contains', 'list', 'none'].flatMap(name => [
      corsCase(name, 'page', true, false),
      corsCase(name, 'endpoint', true, false),
    ]),
    websiteCase({
      name: 'the wildcard with a session cookie',
      answers,
      headers: {
        'access-control-allow-origin': '*',
        'set-cookie': 'sid=0a1b2c3d4e5f; Secure; HttpOnly; SameSite=Lax',
      },
      flaws: ['cors.wildcard_credentialed'],
      also: ['headers.cacheable_session'],
    }),
    websiteCase({
      name: 'the wildcard on public content',
      answers,
      headers: { 'access-control-allow-origin': '*' },
      flaws: [],
    }),
  ],
};
