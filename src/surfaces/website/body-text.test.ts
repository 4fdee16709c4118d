import type http from 'node:http';
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { collect, running } from '../../../test/support/collecting.ts';
import { httpServer } from '../../../test/support/website.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';

// A flawed page, served in ways that all browsers show alike. If the scan cannot read it, it must not pass.

const stripe = ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_');
const flawed = `<!doctype html><html lang="en"><head><title>Shop</title><script>var key="${stripe}";</script></head>
<body><form action="http://shop.example/login" method="post"><input type="password" name="p"></form></body></html>`;
const utf8 = Buffer.from(flawed);
const wide = Buffer.from(flawed, 'utf16le');
const twice = brotliCompressSync(brotliCompressSync(utf8));

interface Answer {
  readonly status?: number;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body: Buffer;
}

async function site(answers: Readonly<Record<string, Answer>>) {
  const { port } = await running(
    httpServer((request, response) => {
      const answer = answers[request.url ?? ''];
      const type = { 'content-type': 'text/html; charset=utf-8' };
      response.writeHead(answer?.status ?? (answer ? 200 : 404), { ...type, ...answer?.headers });
      response.end(answer?.body ?? '<!doctype html><p>Not here');
    }),
  );
  return collect(`http://127.0.0.1:${port}/`);
}

/**
 * The outcome of the website detectors for a page: the checks that found something, and those that were not assessed.
 */
async function judged(answer: Answer) {
  const capture = await site({ '/': answer });
  const results = detectorsFor('website').map(detector => detector.detect(capture));
  const found = results.flatMap(({ observations }) => observations.map(({ check }) => check));
  const left = results.flatMap(({ notAssessed }) => notAssessed.map(({ check }) => check));
  return { capture, found, left };
}

const ofBody = ['secrets.payment_key', 'transport.password_over_http'];

const type = (value: string | string[]): http.OutgoingHttpHeaders => ({ 'content-type': value });
// Node.js sends a list as several fields, although its types allow that for some names only.
const coding = (value: string | string[]) => ({ 'content-encoding': value }) as http.OutgoingHttpHeaders;

it.each<[string, Answer]>([
  ['UTF-16 with a byte order mark', { body: Buffer.concat([Buffer.from([0xff, 0xfe]), wide]) }],
  ['UTF-16 declared in the header', { body: wide, headers: type('text/html; charset="UTF-16LE"') }],
  ['big-endian UTF-16', { body: Buffer.from(wide).swap16(), headers: type('text/html;charset=utf-16be') }],
  ['brotli, twice', { body: twice, headers: coding('br, br') }],
  ['two fields of codings', { body: brotliCompressSync(utf8), headers: coding(['identity', 'br']) }],
  ['deflate without its header', { body: deflateRawSync(utf8), headers: coding('deflate') }],
  ['two media types', { body: utf8, headers: type(['text/plain', 'text/html']) }],
  ['an invalid media type', { body: utf8, headers: type('html') }],
  ['a single-byte encoding', { body: utf8, headers: type('text/html; charset=koi8-u') }],
  ['an encoding that does not exist', { body: utf8, headers: type('text/html; charset=%s') }],
  [
    'text that names an encoding of MySQL',
    {
      body: Buffer.concat([utf8, Buffer.from('<pre>DEFAULT CHARSET=utf8mb4</pre>')]),
      headers: type('text/html'),
    },
  ],
  ['a UTF-8 byte order mark', { body: Buffer.concat([Buffer.from('\ufeff'), utf8]) }],
  [
    'UTF-16 declared only in the document, which browsers ignore',
    { body: Buffer.concat([Buffer.from('<meta charset=utf-16>'), utf8]), headers: type('text/html') },
  ],
])('finds the flaws of a page in %s', async (_, answer) => {
  const { found } = await judged(answer);
  expect(found).toEqual(expect.arrayContaining(ofBody));
});

const compressed = 'A response uses a compression that the scan does not support.';
const encoded = 'A response is in a character encoding that the scan does not support.';

it.each<[string, Answer, string]>([
  ['zstd', { body: utf8, headers: coding('zstd') }, compressed],
  ['zstd below gzip', { body: gzipSync(utf8), headers: coding('zstd, gzip') }, compressed],
  [
    'gzip followed by something else',
    { body: Buffer.concat([gzipSync(utf8), wide]), headers: coding('gzip') },
    compressed,
  ],
  ['four codings', { body: utf8, headers: coding('br, br, br, br') }, compressed],
  ['invalid gzip', { body: wide, headers: coding('gzip') }, compressed],
  ['a transfer coding', { body: utf8, headers: { 'transfer-encoding': 'compress, chunked' } }, compressed],
  ['UTF-7', { body: utf8, headers: type('text/html; charset=utf-7') }, encoded],
  ['EBCDIC', { body: utf8, headers: type('text/html; charset=ibm037') }, encoded],
  ['ISO-2022-JP', { body: utf8, headers: type('text/html; charset=iso-2022-jp') }, encoded],
  [
    'ISO-2022-KR declared in the document',
    { body: Buffer.concat([Buffer.from('<meta charset="iso-2022-kr">'), utf8]), headers: type('text/html') },
    encoded,
  ],
  [
    'undeclared ISO 2022',
    { body: Buffer.from(flawed.replaceAll('p', 'p\x1b(B')), headers: type('text/html') },
    encoded,
  ],
  [
    'ISO 2022 with a comment that names another encoding',
    {
      body: Buffer.from(`<!-- charset=utf-8 -->${flawed.replaceAll('<p', '<\x1b(Bp')}\x1b(B`),
      headers: type('text/html'),
    },
    encoded,
  ],
  [
    'ISO 2022 after a parameter that is not its encoding',
    { body: Buffer.from(`${flawed}\x1b$B`), headers: type('text/html; xcharset=utf-8') },
    encoded,
  ],
  [
    'ISO 2022 after a value that names another encoding',
    { body: Buffer.from(`${flawed}\x1b$B`), headers: type('text/html; a="; charset=utf-8"') },
    encoded,
  ],
  [
    'two encodings',
    { body: wide, headers: type(['text/html; charset=utf-8', 'text/html; charset=utf-16le']) },
    encoded,
  ],
  ['undeclared UTF-16', { body: wide }, 'A response is not text.'],
  [
    'XML other than XHTML',
    { body: utf8, headers: type('application/xml') },
    'The page is of a media type that the scan does not read.',
  ],
  [
    'XML recognizable only by its beginning',
    { body: Buffer.from(`<?xml version="1.0"?>${flawed}`), headers: type([]) },
    'The page is of a media type that the scan does not read.',
  ],
  [
    'parts',
    { body: utf8, headers: type('multipart/x-mixed-replace; boundary=a') },
    'The page is of a media type that the scan does not read.',
  ],
  ['a redirect to nowhere', { status: 302, body: utf8 }, 'The page answers the scan with status 302.'],
  ['no content', { status: 204, body: Buffer.alloc(0) }, 'The page answers the scan with status 204.'],
])('reports a page in %s as not read', async (_, answer, reason) => {
  const { capture, left } = await judged(answer);
  expect(capture.page).toEqual({ assessed: false, reason });
  expect(capture.scripts).toEqual({ assessed: false, reason });
  expect(left).toEqual(expect.arrayContaining(ofBody));
});

it('reports findings of XHTML and partial pages, and that there may be more', async () => {
  for (const answer of [
    { body: utf8, headers: type('application/xhtml+xml') },
    { status: 206, body: utf8 },
  ]) {
    const { found, left } = await judged(answer);
    expect(found).toEqual(expect.arrayContaining(ofBody));
    expect(left).toContain('transport.password_over_http');
  }
});

it('reads a page with a few NULs', async () => {
  const { found } = await judged({ body: Buffer.from(flawed.replace('Shop', 'Sh\0op')) });
  expect(found).toEqual(expect.arrayContaining(ofBody));
});

it('assesses no scripts and files that it cannot decode, and reads scripts declared as pages', async () => {
  const names = ['wide', 'undeclared', 'zstd', 'page', 'error'];
  const capture = await site({
    '/': { body: Buffer.from(names.map(name => `<script src="/${name}.js"></script>`).join('')) },
    '/wide.js': { body: Buffer.from('wide()', 'utf16le'), headers: type('text/javascript; charset=utf-16') },
    '/undeclared.js': { body: Buffer.from('wide()', 'utf16le'), headers: type('text/javascript') },
    '/zstd.js': { body: utf8, headers: coding('zstd') },
    '/page.js': { body: Buffer.from('page()'), headers: type('text/html') },
    '/error.js': { body: Buffer.from('<p>Not here'), headers: type('text/html') },
    '/.env': { body: utf8, headers: coding('zstd') },
    '/.git/HEAD': { body: utf8, headers: type('text/plain; charset=utf-16') },
    '/.git/config': { status: 404, body: utf8, headers: coding('zstd') },
  });
  const scripts = capture.scripts.assessed ? capture.scripts.value : [];
  expect(scripts.map(({ response }) => (response.assessed ? response.value.body : response.reason))).toEqual([
    'wide()',
    'A response is not text.',
    compressed,
    'page()',
    'The server returned a page instead of a script.',
  ]);
  const probes = capture.exposure.assessed ? capture.exposure.value.probes : [];
  const probed = (path: string) => probes.find(probe => probe.path === path)?.response;
  expect(probed('/.env')).toEqual({ assessed: false, reason: compressed });
  expect(probed('/.git/HEAD')).toEqual({ assessed: false, reason: encoded });
  expect(probed('/.git/config')).toMatchObject({ assessed: true });
});
