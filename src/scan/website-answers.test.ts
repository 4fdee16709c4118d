import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { collect, type Handler, running } from '../../test/support/collecting.ts';
import { inspectionFrom, resolvedBy } from '../../test/support/resolved-by.ts';
import { httpServer } from '../../test/support/website.ts';
import { deepExposurePaths } from '../captures/deep-exposure-paths.ts';
import { detectorsFor } from '../detectors/catalogue.ts';
import type { Detector } from '../detectors/detector.ts';
import { revisitedChecks } from './plan.ts';

/** A flawed site answers differently but still has all its flaws. Nothing may be resolved. */

const envFile = 'DB_PASSWORD=hunter2hunter2\nAPP_SECRET=abc9182hdabc\n';
const apiKey = ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_');
const listing =
  '<html><head><title>Index of /uploads/</title></head><body><h1>Index of /uploads/</h1><hr><pre><a href="../">../</a></pre></body></html>';
const pixel = "fbq('init','1234567890');fbq('track','PageView');";
const library = '/*! jQuery v1.12.4 | (c) jQuery Foundation | jquery.org/license */';
const page = `<!doctype html><html lang="en"><head><title>Clinic</title><script src="/app.js"></script>
<script src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>
<script src="https://code.jquery.com/jquery-1.12.4.min.js"></script></head><body>
<form method="post" action="/login"><input name="email"><input type="password" name="password"></form>
<img src="/uploads/a.png" alt=""><a href="/a">a</a><a href="/b">b</a><a href="/c">c</a>
<!-- 10.1.2.3 --><script>var key = '${apiKey}'</script></body></html>`;

const typed = (response: ServerResponse, type: string) => response.setHeader('content-type', type);

/** Flaws in the page's headers. */
const withFlaws =
  (handler: Handler): Handler =>
  (request, response) => {
    response.setHeader('set-cookie', 'PHPSESSID=0123456789abcdef0123456789; path=/');
    response.setHeader('x-powered-by', 'PHP/5.6.40');
    if (request.headers.origin) {
      response.setHeader('access-control-allow-origin', request.headers.origin);
      response.setHeader('access-control-allow-credentials', 'true');
    }
    handler(request, response);
  };

const flawed: Record<string, Handler> = {
  '/': withFlaws((_, response) => typed(response, 'text/html; charset=utf-8').end(page)),
  '/app.js': (_, response) => typed(response, 'text/javascript').end(`${library}\n${pixel}`),
  '/.env': (_, response) => typed(response, 'text/plain').end(envFile),
  '/.git/config': (_, response) => typed(response, 'text/plain').end('[core]\n\tbare = false\n'),
  '/backup.sql': (_, response) =>
    typed(response, 'text/plain').end('-- MySQL dump 10\nCREATE TABLE a (b int);\n'),
  '/uploads/': (_, response) => typed(response, 'text/html').end(listing),
};
const missing: Handler = (_, response) =>
  void response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html><p>Not here');

const revisited = new Set(revisitedChecks(detectorsFor('website') as readonly Detector<unknown>[]));

type Change = (path: string, query: string) => Handler | undefined;

/** Scans the flawed site, and scans it again with changed answers. */
async function scanTwice(change: Change) {
  let isChanged = false;
  const { port } = await running(
    httpServer((request, response) => {
      const [path, query = ''] = request.url!.split('?', 2) as [string, string?];
      const handler = (isChanged ? change(path, query) : undefined) ?? flawed[path] ?? missing;
      handler(request, response);
    }),
  );
  const host = `http://127.0.0.1:${port}/`;
  const before = inspectionFrom(await collect(host));
  isChanged = true;
  const openPlaces = before.seen
    .filter(({ category }) => revisited.has(category))
    .map(({ locator }) => locator);
  const after = inspectionFrom(await collect(host, { openPlaces }));
  return { before, after, resolved: resolvedBy(before, after) };
}

const at =
  (path: string, handler: Handler): Change =>
  asked =>
    asked === path ? handler : undefined;
const status =
  (code: number, body = '<!doctype html><title>Error</title>Error'): Handler =>
  (_, response) =>
    void response.writeHead(code, { 'content-type': 'text/html' }).end(body);
const content =
  (type: string, body: string): Handler =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': type }).end(body);
const redirect =
  (location: string): Handler =>
  (_, response) =>
    void response.writeHead(302, { location }).end();
const cutOff =
  (type: string, beginning: string): Handler =>
  (request, response) => {
    response.writeHead(200, { 'content-type': type, 'content-length': beginning.length + 500 });
    response.write(beginning, () => request.socket.destroySoon());
  };
const times = (count: number, part: string) => Array.from({ length: count }, () => part).join('');

it('opens findings of all kinds on the flawed site, and a second scan keeps them', async () => {
  const { before, resolved } = await scanTwice(() => undefined);
  expect([...new Set(before.seen.map(({ category }) => category))]).toEqual(
    expect.arrayContaining([
      'exposure.secrets_file',
      'exposure.version_control',
      'exposure.backup',
      'page.directory_listing',
      'page.private_address',
      'secrets.payment_key',
      'hipaa.tracker',
      'hipaa.tracker_in_script',
      'libraries.vulnerable',
      'transport.password_over_http',
      'cookies.session_not_httponly',
      'cors.reflects_origin',
      'headers.version_banner',
      'csp.missing',
    ]),
  );
  expect(resolved).toEqual([]);
});

const pages: Record<string, Handler> = {
  'an empty answer': content('text/html', ''),
  ...Object.fromEntries([400, 401, 403, 404, 429, 500, 503].map(code => [`status ${code}`, status(code)])),
  'no content': (_, response) => void response.writeHead(204).end(),
  'a challenge of Cloudflare': (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html', 'cf-mitigated': 'challenge' }).end('<p>Wait'),
  'a truncated page': withFlaws(cutOff('text/html', '<!doctype html><title>Clinic</title>')),
};

it.each(Object.entries(pages))('resolves nothing if the page becomes %s', async (_, handler) => {
  const { resolved } = await scanTwice(at('/', handler));
  expect(resolved).toEqual([]);
});

it.each(['text/plain', 'application/json', 'image/png'])(
  'resolves only the findings that %s lacks',
  async type => {
    const { resolved } = await scanTwice(at('/', withFlaws(content(type, '{}'))));
    // The key was in the page itself and is missing from this answer.
    expect(resolved).toEqual(['secrets.payment_key']);
  },
);

const files: Record<string, Handler> = {
  'a long comment before the secrets': content(
    'text/plain',
    times(200, '# settings of the shop\n') + envFile,
  ),
  'a comment longer than the scan reads': content(
    'text/plain',
    times(4_000, '# settings of the shop\n') + envFile,
  ),
  'public names before the secrets': content(
    'text/plain',
    times(3_000, 'NEXT_PUBLIC_FEATURE=enabled-for-all\n') + envFile,
  ),
  'the file with status 203': (_, response) => void response.writeHead(203).end(envFile),
  'a redirect to its new place': redirect('/.env2'),
  'a truncated answer': cutOff('text/plain', '# settings\n'),
  'an empty answer': content('text/plain', ''),
  'an unknown format': content('text/plain', 'DB_PASSWORD: hunter2hunter2\n'),
  'spaces around the equals signs': content('text/plain', envFile.replaceAll('=', ' = ')),
  'lowercase names': content('text/plain', envFile.toLowerCase()),
  'a byte order mark': content('text/plain', `\ufeff${envFile}`),
  'a script before the names': content('text/plain', `<script>alert(1)</script>\n${envFile}`),
  ...Object.fromEntries([408, 429, 500, 502, 503, 504].map(code => [`status ${code}`, status(code)])),
};

it.each(Object.entries(files))(
  'keeps the finding of an exposed file that answers with %s',
  async (_, handler) => {
    const { before, after, resolved } = await scanTwice(at('/.env', handler));
    expect(resolved).toEqual([]);
    const severityOf = ({ seen }: typeof before) =>
      seen.find(({ locator }) => locator.endsWith('/.env'))?.severity;
    expect([severityOf(before), undefined]).toContain(severityOf(after));
  },
);

it.each([
  ['does not exist', status(404)],
  ['is forbidden', status(403)],
  ['no longer contains a secret', content('text/plain', '# moved\n')],
  ['returns the usual page', content('text/html', `${page}${times(9_000, 'Welcome. ')}`)],
  ['returns a page that says not found', content('text/html', '<!doctype html><title>Not found</title>')],
])('resolves the finding of a file that %s', async (_, handler) => {
  const { resolved } = await scanTwice(at('/.env', handler));
  expect(resolved).toEqual(['exposure.secrets_file']);
});

it.each([
  ['is refused', status(403)],
  ['requires a login', status(401)],
  ['returns the file', content('text/plain', envFile)],
])('resolves no finding of a file if every path %s', async (_, handler) => {
  const { resolved } = await scanTwice(path => (path === '/' || path === '/app.js' ? undefined : handler));
  expect(resolved).not.toContain('exposure.secrets_file');
});

it('resolves the finding of a file if every path redirects to the same login', async () => {
  const { resolved } = await scanTwice(path =>
    path === '/' || path === '/app.js'
      ? undefined
      : (request, response) =>
          void response.writeHead(302, { location: `/login?next=${encodeURIComponent(request.url!)}` }).end(),
  );
  expect(resolved).toContain('exposure.secrets_file');
});

const captcha =
  '<html><head><link rel="icon" href="data:;"><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F"></head></html>';
const rejected =
  '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 9849749215759513006</body></html>';
const walls: Record<string, Handler> = {
  'the block page of F5': status(200, rejected),
  'the challenge of SiteGround': (_, response) =>
    void response.writeHead(202, { 'content-type': 'text/html', 'sg-captcha': 'challenge' }).end(captcha),
  'a refresh in markup': content(
    'text/html',
    '<!doctype html><title>Wait</title><meta http-equiv=refresh content="2; url=/check">One moment',
  ),
  'a refresh in a header': (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html', refresh: '0; url=/check' }).end('<p>Wait'),
};

it.each(Object.entries(walls))('resolves nothing if every path is answered with %s', async (_, wall) => {
  expect((await scanTwice(path => (path === '/robots.txt' ? undefined : wall))).resolved).toEqual([]);
  // Scripts are not among the compared paths.
  const isPath = (path: string) => path !== '/' && path !== '/app.js' && path !== '/robots.txt';
  expect((await scanTwice(path => (isPath(path) ? wall : undefined))).resolved).toEqual([]);
});

it('resolves nothing if everything redirects to a maintenance page', async () => {
  for (const place of ['/maintenance.html', '/soon.html']) {
    const { resolved } = await scanTwice(path =>
      path === place ? content('text/html', '<!doctype html><h1>We will be back') : redirect(place),
    );
    expect(resolved.filter(id => /^(?:exposure|page\.directory)/.test(id))).toEqual([]);
  }
});

const isMain = (path: string) => path === '/' || path === '/app.js' || path === '/robots.txt';
const asHtml = (body: string) => content('text/html; charset=utf-8', body);

it.each<[string, Handler]>([
  ['a page of a firewall', asHtml('<title>Sorry</title><p>Your support ID is 12')],
  ['data', content('application/json', '{"code":17}')],
  ['words', content('text/plain', 'Please try again')],
  ['a blank page', asHtml('<html><body></body></html>')],
  ['a comment', asHtml('<!-- -->')],
  ['nothing', content('text/plain', '')],
  ['a refresh', asHtml('<meta http-equiv=refresh content="30;url=/check"><p>Wait')],
  ['a maintenance', asHtml('<title>Wartung</title><link rel=icon href=/i><img src=/l><h1>Wartungsarbeiten')],
  ['a message in JSON', content('application/json', '{"message":"Too Many Requests"}')],
])('resolves no finding of a file if its path, or every path, returns %s', async (_, answer) => {
  const isFile = (path: string) => !isMain(path) && flawed[path] !== undefined && path !== '/uploads/';
  expect((await scanTwice(path => (isFile(path) ? answer : undefined))).resolved).toEqual([]);
  expect((await scanTwice(path => (isMain(path) ? undefined : answer))).resolved).toEqual([]);
});

it.each<[string, Handler]>([
  ['words', content('text/plain', 'Please try again')],
  ['a page of a firewall', asHtml('<title>Sorry</title><p>Your support ID is 12')],
  [
    'a listing in JSON',
    content('application/json', '[\n{ "name":"a.pdf", "type":"file", "mtime":"Mon", "size":1 }\n]'),
  ],
  [
    'a listing in XML',
    content('text/xml', '<?xml version="1.0"?>\n<list>\n<file mtime="2026" size="1">a.pdf</file>\n</list>'),
  ],
  ['a listing with a class', asHtml(listing.replace('<h1>', '<h1 class="t">'))],
  ['a listing in capitals', asHtml(listing.replaceAll('title>', 'TITLE>').replaceAll('h1>', 'H1>'))],
])('keeps a listing that now returns %s', async (_, answer) => {
  expect((await scanTwice(at('/uploads/', answer))).resolved).toEqual([]);
});

it('resolves no finding of a file if only its path returns a styled page of a firewall', async () => {
  const block = asHtml(
    '<title>Security</title><link rel=stylesheet href=/b.css><img src=/logo.svg><p>Incident 4711.',
  );
  const isFile = (path: string) => !isMain(path) && flawed[path] !== undefined;
  expect((await scanTwice(path => (isFile(path) ? block : undefined))).resolved).toEqual([]);
});

it.each([
  [
    'nginx’s fancyindex',
    '<h1>Index of /uploads/</h1><table id="list"><a href="?C=N&amp;O=A">Name</a><a href="a.pdf">a.pdf</a>',
  ],
  ['a Go program', '<pre>\n<a href="a.pdf">a.pdf</a>\n</pre>\n'],
  [
    'IIS in another language',
    '<hr><pre><A HREF="/">[Zum übergeordneten Verzeichnis]</A><br><A HREF="/uploads/a.pdf">a.pdf</A></pre>',
  ],
  [
    'an unknown server',
    '<h2>uploads</h2><ul><li><a href="a.pdf">a.pdf</a><li><a href="b.pdf">b.pdf</a></ul>',
  ],
])('keeps a listing in the format of %s', async (_, body) => {
  expect((await scanTwice(at('/uploads/', asHtml(`<!doctype html>${body}`)))).resolved).toEqual([]);
});

it.each(['/consent', '/age-check', '/waiting-room', '/wartung.html', 'https://queue.example.net/'])(
  'resolves no finding of a file if every path is redirected to %s',
  async place => {
    const sent: Handler = (request, response) =>
      void response.writeHead(302, { location: `${place}?to=${encodeURIComponent(request.url!)}` }).end();
    const { resolved } = await scanTwice(path => (isMain(path) ? undefined : sent));
    expect(resolved.filter(id => /^(?:exposure|page\.directory)/.test(id))).toEqual([]);
  },
);

it.each(['gzip', 'br'])('resolves nothing of a page that is truncated within %s', async coding => {
  const whole = Buffer.from(`<!doctype html>${'<p>Hi'.repeat(2_000)}${page}`);
  const bytes = coding === 'gzip' ? gzipSync(whole) : brotliCompressSync(whole);
  const half: Handler = (_, response) => {
    response.setHeader('content-encoding', coding);
    typed(response, 'text/html').end(bytes.subarray(0, bytes.length / 2));
  };
  const { resolved } = await scanTwice(at('/', withFlaws(half)));
  expect(resolved).toEqual([]);
});

it('resolves the listing of a folder that now has an empty page', async () => {
  for (const empty of ['', '<!doctype html><html><body></body></html>'])
    expect((await scanTwice(at('/uploads/', asHtml(empty)))).resolved).toEqual(['page.directory_listing']);
});

it.each([401, 403])(
  'resolves nothing after a block with status %i that ends before the scan does',
  async code => {
    let asked = 0;
    const { resolved } = await scanTwice(path => {
      if (isMain(path)) return undefined;
      asked += 1;
      return asked > 3 && asked < 30 ? status(code) : undefined;
    });
    expect(asked).toBeGreaterThan(30);
    expect(resolved).toEqual([]);
  },
);

it('resolves the finding of a file that is forbidden like other files, if unknown paths are not', async () => {
  const { resolved } = await scanTwice(path => (path.startsWith('/.') ? status(403) : undefined));
  expect(resolved).toEqual(['exposure.secrets_file', 'exposure.version_control']);
});

const own: Record<string, string> = {
  'a page with an error in its title': `<title>502 Bad Gateway</title>${times(20, '<p>Ask your administrator.')}`,
  'a page that requires cookies': '<title>Clinic</title><p>Please enable cookies to continue.',
  'a server’s default page': `<title>Welcome to nginx!</title>${times(20, '<p>Thank you.')}`,
  'a script that writes the page': '<title>Clinic</title><script>document.write(atob("PGI+"))</script>',
  'an error of the application': '<br><b>Fatal error</b>: Uncaught Error in <b>/var/www/a.php</b>',
};

it.each(Object.entries(own))('resolves nothing if the page becomes %s', async (_, body) => {
  const { resolved } = await scanTwice(at('/', asHtml(`<!doctype html>${body}`)));
  expect(resolved).toEqual([]);
});

it('resolves nothing if the site redirects clients without cookies to another page', async () => {
  const { after, resolved } = await scanTwice((path, query) => {
    if (path !== '/') return undefined;
    return query === ''
      ? redirect('/?nocookie=1')
      : asHtml('<!doctype html><html lang=en><p>Hello, stranger');
  });
  expect(after.seen.map(({ subject }) => subject ?? '')).toContainEqual(
    expect.stringMatching(/\/\?nocookie$/),
  );
  expect(resolved).toEqual([]);
});

it('does not assess the files of a page that was cut off', async () => {
  const cut = page.replace('<!-- 10', '<textarea><!-- 10');
  const { after, resolved } = await scanTwice(at('/', withFlaws(asHtml(cut))));
  const passed = after.outcomes.filter(({ outcome }) => outcome === 'passed').map(({ check }) => check);
  expect(passed).not.toContain('exposure.source_map');
  expect(passed).not.toContain('page.directory_listing');
  expect(resolved).toEqual([]);
});

it('resolves no finding of a file if its path redirects to a challenge', async () => {
  const { resolved } = await scanTwice(path =>
    path === '/' || path === '/app.js' || path === '/challenge'
      ? undefined
      : (request, response) =>
          redirect(`/challenge?to=${encodeURIComponent(request.url!)}`)(request, response),
  );
  expect(resolved).toEqual([]);
});

const logIn = '<!doctype html><title>Log in</title><form method=post><input type=password name=p></form>';

it.each<[string, Change]>([
  ['the front page', path => (path === '/' ? undefined : redirect('/'))],
  [
    'a login, like the front page',
    path => (path === '/login' ? content('text/html', logIn) : redirect('/login')),
  ],
  ['a page for unknown paths', path => (path === '/' ? undefined : redirect('/not-found'))],
])('resolves the finding of a file if unknown paths are redirected to %s', async (_, change) => {
  const { resolved } = await scanTwice(change);
  expect(resolved).toContain('exposure.secrets_file');
});

const blockPage = '<!doctype html><title>Blocked</title>Blocked';

it.each<[string, Handler]>([
  ['status 403', status(403)],
  ['status 429', status(429)],
  ['a page with status 200', status(200, blockPage)],
  ['a redirect', redirect('/blocked')],
])('resolves nothing if the site blocks the scan halfway with %s', async (_, block) => {
  let asked = 0;
  // Like intrusion prevention: after some paths that do not exist.
  const { resolved } = await scanTwice(path => {
    const isUnknown = flawed[path] === undefined && path !== '/robots.txt';
    return (isUnknown ? ++asked : asked) > 3 && path !== '/app.js' ? block : undefined;
  });
  expect(asked).toBeGreaterThan(3);
  expect(resolved).toEqual([]);
});

it('does not assess files from the answers of a firewall', async () => {
  let asked = 0;
  const { port } = await running(
    httpServer((request, response) => {
      if (request.url === '/') return flawed['/']!(request, response);
      return (++asked > 6 ? status(403) : missing)(request, response);
    }),
  );
  const { seen } = inspectionFrom(await collect(`http://127.0.0.1:${port}/`));
  expect(seen.map(({ category }) => category)).not.toContain('exposure.security_txt_missing');
});

it('stays within the request limit, including the comparison at the end', async () => {
  const scripts = times(9, '<script src="/s#.js"></script><img src="/d#/a.png" alt="">');
  let asked = 0;
  const { port } = await running(
    httpServer((request, response) => {
      asked += 1;
      let at = 0;
      const body = scripts.replace(/#/g, () => String(at++));
      if (request.url === '/') return content('text/html', `<!doctype html>${body}`)(request, response);
      return status(request.url === '/.env' ? 403 : 404)(request, response);
    }),
  );
  const { exposure } = await collect(`http://127.0.0.1:${port}/`, {
    limits: { requests: 20, bytes: 1_000_000, totalMs: 20_000, requestMs: 5_000 },
  });
  expect(asked).toBe(20);
  expect(exposure).toMatchObject({ value: { control_after: { assessed: true, value: { status: 404 } } } });
});

it('resolves nothing if every path but the page is empty', async () => {
  const { resolved } = await scanTwice(path =>
    path === '/' || path === '/app.js' ? undefined : content('text/plain', ''),
  );
  expect(resolved).toEqual([]);
});

it('keeps a listing with a long head', async () => {
  const long = listing.replace(
    '</head>',
    `<style>${times(2_000, '/* theme of the listing */')}</style></head>`,
  );
  const longer = listing.replace('<h1>', `${times(4_000, '<p>Welcome to our files</p>')}<h1>`);
  for (const body of [long, longer]) {
    const { resolved } = await scanTwice(at('/uploads/', content('text/html', body)));
    expect(resolved).toEqual([]);
  }
});

it('resolves no CORS finding if its requests fail', async () => {
  const { resolved } = await scanTwice(
    at('/', (request, response) =>
      (request.headers.origin === undefined ? flawed['/']! : status(502))(request, response),
    ),
  );
  expect(resolved).toEqual([]);
});

const decoys: Record<string, string> = {
  'text that resembles a tracker': `${times(1_100, 'fbq fbq( ')}\n${library}\n${pixel}`,
  'text that resembles a library': `${times(1_100, 'jQuery v jQuery JavaScript Library v ')}\n${library}\n${pixel}`,
  'further trackers': `${library}\n${pixel}gtag('config','G-ABCDEFGH12');ttq.load('C1');_linkedin_partner_id='1';(function(h){h._hjSettings={hjid:1,hjsv:6};})();clarity('set','a','b');`,
};

it.each(Object.entries(decoys))('resolves nothing because of %s in a script', async (_, script) => {
  const { resolved } = await scanTwice(at('/app.js', content('text/javascript', script)));
  expect(resolved).toEqual([]);
});

it('resolves no key behind many URLs that resemble one', async () => {
  const pick = (letters: string, count: number) =>
    Array.from(randomBytes(count), byte => letters[byte % letters.length]).join('');
  const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const id = () => `AKIA${pick(`${upper}234567`, 16)}`;
  const secret = pick(`${upper}${upper.toLowerCase()}0123456789`, 40);
  const leak = `<script>var c={accessKeyId:"${id()}",secretAccessKey:"${secret}"}</script>`;
  const image = () =>
    `<img alt="" src="https://files.example.net/p.jpg?X-Amz-Credential=${id()}%2F20260101%2Feu-central-1%2Fs3%2Faws4_request&amp;X-Amz-Signature=00">`;
  let images = 1;
  const { port } = await running(
    httpServer((request, response) => {
      if (request.url !== '/') return missing(request, response);
      const body = Array.from({ length: images }, image).join('') + leak;
      return content('text/html', `<!doctype html><html lang="en"><body>${body}</body></html>`)(
        request,
        response,
      );
    }),
  );
  const look = async () => inspectionFrom(await collect(`http://127.0.0.1:${port}/`));
  const before = await look();
  expect(before.seen.map(({ category }) => category)).toContain('secrets.cloud_key');
  images = 600;
  expect(resolvedBy(before, await look())).toEqual([]);
});

it('requests the places of open findings again at the former origin of the page', async () => {
  const present = new Set(['/.env', '/.git/config']);
  const next = await running(
    httpServer((request, response) => (request.url === '/' ? flawed['/']! : missing)(request, response)),
  );
  let isMoved = false;
  const asked: string[] = [];
  const { port } = await running(
    httpServer((request, response) => {
      const path = request.url!.split('?', 1)[0]!;
      asked.push(path);
      if (path === '/' && isMoved) return redirect(`http://127.0.0.1:${next.port}/`)(request, response);
      const isThere = path === '/' || present.has(path);
      return (isThere ? flawed[path]! : missing)(request, response);
    }),
  );
  const host = `http://127.0.0.1:${port}/`;
  const before = inspectionFrom(await collect(host));
  const openPlaces = before.seen
    .filter(
      ({ category }) => category.startsWith('exposure.') && category !== 'exposure.security_txt_missing',
    )
    .map(({ locator }) => locator);
  expect(openPlaces).toHaveLength(2);
  isMoved = true;
  asked.length = 0;
  const exposed = (ids: string[]) =>
    ids.filter(id => id.startsWith('exposure.') && !id.includes('security_txt'));
  const unaware = inspectionFrom(await collect(host));
  expect(exposed(resolvedBy(before, unaware))).toEqual([]);
  expect(asked).not.toContain('/.env');
  const still = inspectionFrom(await collect(host, { openPlaces }));
  expect(exposed(resolvedBy(before, still))).toEqual([]);
  expect(still.seen.map(({ locator }) => locator)).toEqual(expect.arrayContaining(openPlaces));
  present.clear();
  const gone = inspectionFrom(await collect(host, { openPlaces }));
  expect(exposed(resolvedBy(before, gone))).toEqual(['exposure.secrets_file', 'exposure.version_control']);
});

it('resolves findings on the former start page only by requesting that page again', async () => {
  const flawed =
    '<!doctype html><html lang=en><title>Shop</title><script src="https://cdn.example/a.js"></script>';
  const clean = '<!doctype html><html lang=en><title>Welcome</title><p>Hello';
  let start = '/shop';
  let shop: Handler = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(flawed);
  const asked: string[] = [];
  const { port } = await running(
    httpServer((request, response) => {
      asked.push(request.url!);
      if (request.url === '/') response.writeHead(302, { location: start }).end();
      else if (request.url === '/shop') shop(request, response);
      else if (request.url === '/welcome')
        response.writeHead(200, { 'content-type': 'text/html' }).end(clean);
      else response.writeHead(404).end();
    }),
  );
  const host = `http://127.0.0.1:${port}/`;
  const before = inspectionFrom(await collect(host));
  const ofShop = before.seen.find(({ category }) => category === 'page.no_integrity');
  expect(ofShop?.subject, before.seen.map(({ category }) => category).join()).toBe(`${host}shop`);
  const openSubjects = [`${host}shop`];
  const look = async () => resolvedBy(before, inspectionFrom(await collect(host, { openSubjects })));
  const category = ofShop!.category;

  start = '/welcome';
  expect(await look()).not.toContain(category);
  expect(asked.at(-1) && asked).toContain('/shop');
  shop = (_, response) => response.writeHead(302, { location: '/login' }).end();
  expect(await look(), 'a temporary redirect').not.toContain(category);
  shop = (_, response) => response.writeHead(403).end();
  expect(await look(), 'refused').not.toContain(category);
  shop = (_, response) => response.writeHead(301, { location: '/welcome' }).end();
  expect(await look(), 'a permanent redirect').toContain(category);
  shop = (_, response) => response.writeHead(404).end();
  expect(await look(), 'gone').toContain(category);
  start = '/shop';
  shop = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(clean);
  expect(await look(), 'fixed').toContain(category);
});

it.each([
  ['a body cut off by a connection reset', 'rst'],
  ['an empty page', '<!doctype html><html><head><title></title></head><body></body></html>'],
  ['status 202', 202],
  ['a script that only changes the protocol', '<script>location.protocol = "https:"</script>'],
])('resolves nothing of a page that returns %s', async (_what, answer) => {
  const flawed =
    '<!doctype html><html lang=en><title>C</title><script src="https://cdn.example/a.js"></script><input type=password>';
  const words = `<!doctype html><html lang=en><title>C</title><p>${'Welcome to our clinic. '.repeat(20)}`;
  let isFlawed = true;
  const { port } = await running(
    httpServer((request, response) => {
      const page = { 'content-type': 'text/html; charset=utf-8' };
      if (request.url !== '/') response.writeHead(404, page).end('<!doctype html><p>Not here');
      else if (isFlawed) response.writeHead(200, page).end(flawed);
      else if (answer === 'rst') {
        const { socket } = request;
        socket.write(`HTTP/1.0 200 OK\r\ncontent-type: text/html; charset=utf-8\r\n\r\n${words}`, () =>
          setTimeout(() => socket.resetAndDestroy(), 100),
        );
      } else
        response
          .writeHead(typeof answer === 'number' ? answer : 200, page)
          .end(typeof answer === 'number' ? words : answer);
    }),
  );
  const look = async () => inspectionFrom(await collect(`http://127.0.0.1:${port}/`));
  const before = await look();
  expect(before.seen.map(({ category }) => category)).toEqual(
    expect.arrayContaining(['page.no_integrity', 'transport.password_over_http']),
  );
  isFlawed = false;
  const resolved = resolvedBy(before, await look());
  expect(resolved).not.toContain('page.no_integrity');
  expect(resolved).not.toContain('transport.password_over_http');
});

it.each([202, 406, 418, 421, 431, 451])(
  'does not treat status %i as proof that a file is missing',
  async status => {
    let isThere = true;
    const { port } = await running(
      httpServer((request, response) => {
        if (request.url === '/')
          response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Hello');
        else if (request.url !== '/.env') response.writeHead(404).end();
        else if (isThere) response.end('DB_PASSWORD=hunter2\nAPP_KEY=base64:AAAA\n');
        else response.writeHead(status).end('No');
      }),
    );
    const look = async () => inspectionFrom(await collect(`http://127.0.0.1:${port}/`));
    const before = await look();
    expect(before.seen.map(({ category }) => category)).toContain('exposure.secrets_file');
    isThere = false;
    expect(resolvedBy(before, await look())).not.toContain('exposure.secrets_file');
  },
);

it('requests files again that only a full scan requests, and resolves those that are gone', async () => {
  const path = `/${deepExposurePaths('127.0.0.1')
    .findLast(({ kind }) => kind === 'backup')!
    .path.slice(1)}`;
  let isThere = true;
  const { port } = await running(
    httpServer((request, response) => {
      if (request.url === '/') return html('<p>Hello')(request, response);
      if (request.url === path && isThere) return response.end('-- MySQL dump 10\nCREATE TABLE a (b int);\n');
      return missing(request, response);
    }),
  );
  const host = `http://127.0.0.1:${port}/`;
  const before = inspectionFrom(await collect(host, { depth: 'full' }));
  const open = before.seen.filter(({ category }) => category === 'exposure.backup');
  expect(open.map(({ locator }) => new URL(locator).pathname)).toEqual([path]);
  const again = async (openPlaces: string[]) => {
    const after = inspectionFrom(await collect(host, { openPlaces }));
    const isSeen = after.seen.some(({ category }) => category === 'exposure.backup');
    return { isSeen, isResolved: resolvedBy(before, after).includes('exposure.backup') };
  };
  const places = open.map(({ locator }) => locator);
  expect(await again([])).toEqual({ isSeen: false, isResolved: false });
  expect(await again(places)).toEqual({ isSeen: true, isResolved: false });
  isThere = false;
  expect(await again(places)).toEqual({ isSeen: false, isResolved: true });
});

it.each([
  ['temporarily keeps', 302, false],
  ['permanently resolves', 301, true],
])('redirecting the start page %s its findings', async (_what, status, resolves) => {
  let isMoved = false;
  const page = (body: string) => `<!doctype html><html lang=en><title>C</title>${body}`;
  const { port } = await running(
    httpServer((request, response) => {
      const type = { 'content-type': 'text/html; charset=utf-8' };
      if (request.url === '/login') response.writeHead(200, type).end(page('<p>Sign in<input name=code>'));
      else if (request.url !== '/') response.writeHead(404, type).end(page('<p>Not here'));
      else if (isMoved) response.writeHead(status, { location: '/login' }).end();
      else
        response.writeHead(200, type).end(page('<script src="https://cdn.example/a.js"></script><p>Welcome'));
    }),
  );
  const look = async () => inspectionFrom(await collect(`http://127.0.0.1:${port}/`));
  const before = await look();
  isMoved = true;
  expect(resolvedBy(before, await look()).includes('page.no_integrity')).toBe(resolves);
});

const html =
  (body: string): Handler =>
  (_, response) =>
    typed(response, 'text/html').end(`<!doctype html><html lang="en"><title>Clinic</title><body><p>${body}`);
const keyInScript: Record<string, Handler> = {
  '/': html('<script src="/app.js"></script>'),
  '/app.js': (_, response) => typed(response, 'text/javascript').end(`var key = '${apiKey}'`),
  '/login': html('<form method="post"><input type="password" name="p"></form>'),
  '/shop': html('<script src="/app.js"></script>'),
};

it.each<[string, Record<string, Handler>, isGone: boolean]>([
  ['its page redirects to a login', { '/': redirect('/login') }, false],
  ['its page changed', { '/': html('Welcome') }, false],
  ['it is in a frame', { '/': html('<iframe src="/shop"></iframe>') }, false],
  ['a module imports it', { '/': html('<script type="module">import "/app.js"</script>') }, false],
  ['it answers with a page', { '/app.js': html('Checking your browser') }, false],
  ['it is empty', { '/app.js': (_, response) => typed(response, 'text/javascript').end() }, false],
  [
    'it is refused',
    { '/': html('Welcome'), '/app.js': (_, response) => void response.writeHead(403).end() },
    false,
  ],
  ['it is gone', { '/': html('Welcome'), '/app.js': missing }, true],
  [
    'the key is gone from it',
    { '/': html('Welcome'), '/app.js': (_, response) => typed(response, 'text/javascript').end('var a = 1') },
    true,
  ],
])('a key in a script stays open until the script is read again: %s', async (_, change, isGone) => {
  let isChanged = false;
  const { port } = await running(
    httpServer((request, response) => {
      const path = request.url!.split('?', 1)[0]!;
      const handler = (isChanged ? change[path] : undefined) ?? keyInScript[path] ?? missing;
      handler(request, response);
    }),
  );
  const host = `http://127.0.0.1:${port}/`;
  const before = inspectionFrom(await collect(host));
  const keys = before.seen.filter(({ category }) => category === 'secrets.payment_key');
  expect(keys.map(({ locator }) => locator)).toEqual([expect.stringContaining('/app.js')]);
  isChanged = true;
  const after = inspectionFrom(await collect(host, { openPlaces: keys.map(({ locator }) => locator) }));
  expect(resolvedBy(before, after).includes('secrets.payment_key')).toBe(isGone);
});

it('resolves keys at places that were read again although a scan does not read all scripts', async () => {
  const last = { '/js/script-14.js': apiKey, '/js/chunk.3f9a1c2b.js': apiKey } as Record<string, string>;
  const names = [
    ...Array.from({ length: 14 }, (_, index) => `/js/script-${index + 1}.js`),
    ...Object.keys(last).slice(1),
  ];
  let inPage = apiKey;
  const { port } = await running(
    httpServer((request, response) => {
      if (request.url === '/') {
        const tags = names.map(name => `<script src="${name}"></script>`).join('');
        return html(`<p>${inPage}</p>${tags}`)(request, response);
      }
      if (!names.includes(request.url!)) return missing(request, response);
      return typed(response, 'text/javascript').end(`var a = '${last[request.url!] ?? ''}'`);
    }),
  );
  const host = `http://127.0.0.1:${port}/`;
  const isKey = ({ category }: { category: string }) => category === 'secrets.payment_key';
  const full = inspectionFrom(await collect(host, { depth: 'full' }));
  const open = full.seen.filter(isKey);
  expect(open.map(({ locator }) => new URL(locator.split(' ')[1]!).pathname).sort()).toEqual([
    '/',
    '/js/chunk.*.js',
    '/js/script-14.js',
  ]);
  const again = async () => {
    const openPlaces = open.map(({ locator }) => locator);
    const after = inspectionFrom(await collect(host, { openPlaces }));
    const still = new Set(after.seen.map(({ fingerprint }) => fingerprint));
    const places = after.places.get('secrets.payment_key');
    return open.filter(({ locator, fingerprint }) => places?.has(locator) && !still.has(fingerprint));
  };
  expect(await again()).toEqual([]);
  inPage = '';
  for (const name of Object.keys(last)) last[name] = '';
  expect((await again()).map(({ locator }) => new URL(locator.split(' ')[1]!).pathname).sort()).toEqual([
    '/',
    '/js/script-14.js',
  ]);
});

it('a key in a script whose name changes with each build stays open until the new build is read', async () => {
  let name = 'app.3f9a1c2b.js';
  let text = `var key = '${apiKey}'`;
  let path = '/';
  const { port } = await running(
    httpServer((request, response) => {
      if (request.url === '/' && path !== '/') return redirect(path)(request, response);
      if (request.url === path)
        return html(path === '/' ? `<script src="/js/${name}"></script>` : '')(request, response);
      if (request.url === `/js/${name}`) return typed(response, 'text/javascript').end(text);
      return missing(request, response);
    }),
  );
  const host = `http://127.0.0.1:${port}/`;
  const before = inspectionFrom(await collect(host));
  const openPlaces = before.seen.map(({ locator }) => locator).filter(locator => locator.includes('/js/'));
  expect(openPlaces).toHaveLength(1);
  path = '/login';
  const hidden = inspectionFrom(await collect(host, { openPlaces }));
  expect(resolvedBy(before, hidden)).not.toContain('secrets.payment_key');
  path = '/';
  name = 'main.77aa01fe.js';
  text = 'var a = 1';
  expect(resolvedBy(before, inspectionFrom(await collect(host, { openPlaces })))).toContain(
    'secrets.payment_key',
  );
});

it('resolves nothing behind a login whose credential has expired', async () => {
  let isValid = true;
  const { port } = await running(
    httpServer((request, response) => {
      const path = request.url!.split('?', 1)[0]!;
      if (path === '/login')
        return html('<form method="post"><input type="password" name="p"></form>')(request, response);
      if (path !== '/') return missing(request, response);
      const isIn = isValid && request.headers['x-token'] === 'secret-token';
      return (isIn ? flawed['/']! : redirect('/login'))(request, response);
    }),
  );
  const host = `http://127.0.0.1:${port}/`;
  const credential = { type: 'header', name: 'x-token', value: 'secret-token' } as const;
  const before = inspectionFrom(await collect(host, { credential }));
  expect(before.seen.map(({ category }) => category)).toContain('libraries.vulnerable');
  isValid = false;
  const ofPage = /^(?:secrets|libraries|hipaa|page|csp)\./;
  const resolved = resolvedBy(before, inspectionFrom(await collect(host, { credential })));
  expect(resolved.filter(id => ofPage.test(id))).toEqual([]);
});
