import { goodTls, siteName } from '../../../test/support/hardened-site.ts';
import { httpsServer, rawServer } from '../../../test/support/website.ts';
import type { AccuracyCase, Family } from '../case.ts';
import {
  bothCase,
  namedCase,
  open,
  pageCase,
  plainCase,
  redirecting,
  toHttps,
  wwwCase,
} from '../transport/sites.ts';
import { document, handler, plainServer, websiteCase } from '../website-case.ts';

const login = document(
  '',
  '<form method="post" action="/login"><input name="u"><input type="password" name="p"></form>',
);
const withChallenge = (challenge: string) => ({
  status: 401,
  headers: { 'www-authenticate': challenge },
  body: document('', 'Log in'),
});
const basic = withChallenge('Basic realm="Staff"');
const noSession = ['cookies.session_not_secure'];

const visits: readonly AccuracyCase[] = [
  bothCase('a redirect of plain HTTP', { plain: redirecting(toHttps) }, []),
  bothCase('a temporary redirect of plain HTTP', { plain: redirecting(toHttps, 307) }, []),
  bothCase('a redirect with status 308', { plain: redirecting(toHttps, 308) }, []),
  bothCase(
    'plain HTTP on the port of HTTPS, as nginx refuses it',
    {
      plain: (_, response) =>
        void response.writeHead(400).end('<h1>400 The plain HTTP request was sent to HTTPS port</h1>'),
    },
    [],
  ),
  bothCase('plain HTTP that is closed', { plain: request => request.socket.destroy() }, []),
  bothCase('the page over plain HTTP too', { plain: handler({}) }, ['no_redirect']),
  bothCase(
    'a redirect in markup only',
    {
      plain: handler({
        '/': document(
          `<meta http-equiv="refresh" content="5; url=https://${siteName}/">`,
          '<h1>We have moved</h1>',
        ),
      }),
    },
    ['no_redirect'],
  ),
  bothCase(
    'a redirect from page to page over plain HTTP',
    {
      plain: (request, response) =>
        request.url === '/'
          ? redirecting(() => '/start')(request, response)
          : handler({ '/start': document('', '<h1>Start</h1>') })(request, response),
    },
    ['no_redirect'],
  ),
  bothCase(
    'www over plain HTTP first',
    {
      plain: (request, response) =>
        redirecting(one =>
          one.headers.host?.startsWith('www.')
            ? `https://${siteName}:${one.socket.localPort}/`
            : `http://www.${one.headers.host}/`,
        )(request, response),
    },
    ['insecure_first_hop'],
  ),
  bothCase(
    'HTTPS that leads back to plain HTTP',
    { secure: redirecting(request => `http://${request.headers.host}/`), plain: handler({}) },
    ['no_https', 'no_redirect'],
    [...plainServer, 'transport.hsts_missing'],
  ),
  websiteCase({
    name: 'a source over HTTPS only',
    flaws: [],
    start: () => httpsServer(goodTls, handler({})),
  }),
  websiteCase({
    name: 'a port that speaks neither',
    flaws: ['transport.no_https'],
    also: plainServer,
    start: () =>
      rawServer(
        socket =>
          void socket.once('data', first =>
            socket.end(first[0] === 0x16 ? 'HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n' : answer),
          ),
      ),
  }),
  plainCase('no HTTPS', {}, ['no_https']),
];

const page = document('', '<h1>Welcome</h1>');
const answer = `HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(page)}\r\nconnection: close\r\n\r\n${page}`;

const logins: readonly AccuracyCase[] = [
  plainCase('a login page over plain HTTP', { '/': login }, ['no_https', 'password_over_http'], noSession),
  plainCase('a login page with status 403', { '/': { status: 403, body: login } }, [
    'no_https',
    'password_over_http',
  ]),
  plainCase('Basic authentication over plain HTTP', { '/': basic, '*': basic }, [
    'no_https',
    'basic_auth_over_http',
  ]),
  plainCase(
    'Digest and Basic authentication over plain HTTP',
    { '/': withChallenge('Digest realm="Staff", nonce="a1", Basic realm="Staff"') },
    ['basic_auth_over_http'],
  ),
  plainCase('Negotiate over plain HTTP, which sends no password', { '/': withChallenge('Negotiate') }, [
    'no_https',
  ]),
  plainCase('Basic authentication at a path', { '/phpmyadmin/': basic }, [
    'no_https',
    'basic_auth_over_http /phpmyadmin/',
  ]),
  plainCase('a login page at a path', { '/phpmyadmin/': login }, [
    'no_https',
    'password_over_http /phpmyadmin/',
  ]),
  plainCase('a login page for every unknown path', { '/': page, '*': { status: 200, body: login } }, [
    'no_https',
  ]),
  bothCase(
    'a login page that plain HTTP serves too',
    { secure: handler({ '/': login }), plain: handler({ '/': login }) },
    ['no_redirect', 'password_over_http'],
  ),
  bothCase('Basic authentication before the redirect', { plain: handler({ '/': basic, '*': basic }) }, [
    'basic_auth_over_http',
  ]),
  bothCase(
    'Basic authentication after the redirect',
    { secure: handler({ '/': basic, '*': basic }), plain: redirecting(toHttps) },
    [],
  ),
  pageCase(
    'a login page over HTTPS',
    '<form method="post" action="/login"><input type="password" name="p"></form>',
    [],
  ),
];

const contents: readonly AccuracyCase[] = [
  pageCase('a script over plain HTTP', '<script src="http://cdn.partner.example/a.js"></script>', [
    'mixed_content script',
  ]),
  pageCase(
    'a style sheet over plain HTTP',
    '<link rel="stylesheet" href="http://cdn.partner.example/a.css">',
    ['mixed_content link'],
  ),
  pageCase('a frame over plain HTTP', '<iframe src="http://maps.partner.example/"></iframe>', [
    'mixed_content iframe',
  ]),
  pageCase('an image over plain HTTP', '<img src="http://img.partner.example/a.png" alt="">', [
    'mixed_content img',
  ]),
  pageCase(
    'one size of an image over plain HTTP',
    '<img srcset="/a.png 1x, http://img.partner.example/b.png 2x" alt="">',
    ['mixed_content img'],
  ),
  pageCase(
    'a picture and a video over plain HTTP',
    '<picture><source srcset="http://img.partner.example/a.webp"></picture><video poster="http://img.partner.example/p.jpg"></video>',
    ['mixed_content source', 'mixed_content video'],
  ),
  pageCase(
    'plain HTTP that browsers upgrade',
    '<img src="http://img.partner.example/a.png" alt=""><script src="http://cdn.partner.example/a.js"></script>',
    [],
    `${open}; upgrade-insecure-requests`,
  ),
  pageCase(
    'links, vocabularies and hints',
    `<a href="http://partner.example/">Partner</a><svg xmlns="http://www.w3.org/2000/svg"></svg><link rel="canonical" href="http://${siteName}/"><link rel="profile" href="http://gmpg.org/xfn/11"><link rel="pingback" href="http://partner.example/xmlrpc.php"><link rel="alternate" hreflang="de" href="http://partner.example/de"><img data-src="http://img.partner.example/a.png" src="/a.png" alt=""><script type="application/ld+json">{"@context":"http://schema.org"}</script>`,
    [],
  ),
  pageCase(
    'content of the visitor’s own machine, which browsers trust',
    '<img src="http://127.0.0.1:8123/reader.png" alt=""><img src="http://localhost:8123/reader.png" alt="">',
    [],
  ),
  pageCase(
    'URLs without a scheme',
    '<script src="//cdn.partner.example/a.js" integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC" crossorigin></script>',
    [],
  ),
  pageCase(
    'a form over plain HTTP',
    '<form method="post" action="http://forms.partner.example/in"><input name="q"></form>',
    ['insecure_form'],
  ),
  pageCase(
    'a button that submits over plain HTTP',
    '<form method="post" action="/in"><input name="q"><button formaction="http://forms.partner.example/in">Send</button></form>',
    ['insecure_form'],
  ),
  pageCase('a form of the site', '<form method="post" action="/in"><input name="q"></form>', []),
];

const year = 'max-age=31536000';

const strictness: readonly AccuracyCase[] = [
  wwwCase('HSTS of both hosts', { apex: year, www: year }, []),
  wwwCase('HSTS of all subdomains', { apex: `${year}; includeSubDomains` }, []),
  wwwCase('HSTS of the first host only', { apex: year }, [`hsts_missing www.${siteName}`]),
  wwwCase('HSTS of www only', { www: year }, [`hsts_missing https://${siteName}`]),
  wwwCase('an invalid HSTS of www', { apex: `${year}; includeSubDomains`, www: 'one year' }, [
    `hsts_malformed www.${siteName}`,
  ]),
  namedCase(
    'a name that browsers have on their list, by its top-level domain',
    'portal.clinic.dev',
    undefined,
    [],
  ),
  namedCase('a subdomain of a listed domain', 'status.github.com', undefined, []),
  namedCase('a listed domain itself, which may be removed', 'github.com', undefined, ['hsts_missing']),
  namedCase(
    'preload, which is no entry of the list',
    'portal.clinic.net',
    'max-age=300; includeSubDomains; preload',
    ['hsts_short'],
  ),
];

export const transportFamily: Family = {
  name: 'transport',
  cases: [...visits, ...logins, ...contents, ...strictness],
};
