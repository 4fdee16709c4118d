import { foreignHost, product } from '../../../captures/injection-tests.ts';
import type { HttpResponse, InjectionProbe, WebsiteCapture } from '../../../captures/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { captureWith, home, notSeen, response, seen } from '../hardened-capture.ts';

const url = `${home}search`;
const word = 'p0123456789';
const usual = seen(response(url, { body: '<!doctype html><p>Results' }));

const probe = (
  kind: InjectionProbe['kind'],
  changes: Partial<HttpResponse>,
  more: Partial<InjectionProbe> = {},
): InjectionProbe => ({
  url,
  parameter: 'q',
  kind,
  sent: `${word}'"`,
  word,
  usual,
  response: seen(response(url, changes)),
  ...more,
});

const injections = (...probes: readonly InjectionProbe[]) =>
  captureWith({ injections: seen({ probes, left_out: null }) });
const mysql =
  'Error: You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version';
const place = `${url} parameter q`;
const all = ['sql', 'template', 'file_path', 'open_redirect'].map(name => `injection.${name}`);

export const cases: readonly GoldenCase<WebsiteCapture>[] = [
  { name: 'hardened site', capture: captureWith(), expected: [] },
  {
    name: 'parameters that were left out',
    capture: captureWith({ injections: seen({ probes: [], left_out: 'There are too many.' }) }),
    expected: [],
    notAssessed: all,
  },
  {
    name: 'an SQL error that doubled quotes avoid',
    capture: injections(probe('sql', { body: `<p>${mysql}` }), probe('sql_doubled', { body: '<p>None' })),
    expected: [{ check: 'injection.sql', locator: place }],
  },
  {
    name: 'a page that always has an SQL error, and one without',
    capture: injections(
      probe('sql', { body: mysql }, { usual: seen(response(url, { body: mysql })) }),
      probe('sql', { body: '<p>No results for &#39;' }),
    ),
    expected: [],
  },
  {
    name: 'a calculation',
    capture: injections(probe('template', { body: `<p>${word}${product}${word}` })),
    expected: [{ check: 'injection.template', locator: place }],
  },
  {
    name: 'a redirect to another site, by status and by the page',
    capture: injections(
      probe('redirect', { status: 302, headers: [['location', `https://${foreignHost(word)}/`]], body: '' }),
      probe(
        'redirect',
        { body: `<!doctype html><meta http-equiv=refresh content="0; url=//${foreignHost(word)}/">` },
        { parameter: 'next' },
      ),
    ),
    expected: [
      { check: 'injection.open_redirect', locator: place },
      { check: 'injection.open_redirect', locator: `${url} parameter next` },
    ],
  },
  {
    name: 'a redirect within the site that keeps the parameter',
    capture: injections(
      probe('redirect', {
        status: 302,
        headers: [['location', `/login?next=https://${foreignHost(word)}/`]],
        body: '',
      }),
    ),
    expected: [],
  },
  {
    name: 'a file of the server',
    capture: injections(probe('file', { body: 'root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1\n' })),
    expected: [{ check: 'injection.file_path', locator: place }],
  },
  {
    name: 'a file of the server with a password hash',
    capture: injections(
      probe('file', {
        body: 'root:$6$saltsalt$kq9Ck1yJtQXk1yJtQXkq9Ck1yJtQXkq9Ck1yJtQX/3u1:0:0:root:/root:/bin/bash\n',
      }),
    ),
    expected: [{ check: 'injection.file_path', locator: place }],
  },
  {
    name: 'a firewall',
    capture: injections(
      probe('sql', { status: 403, body: 'Blocked' }),
      probe('file', {}, { response: notSeen() }),
    ),
    expected: [],
    notAssessed: ['injection.sql', 'injection.file_path'],
  },
  {
    name: 'not requested',
    capture: captureWith({ injections: notSeen() }),
    expected: [],
    notAssessed: all,
  },
];
