import type http from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { httpServer, rawServer, type TestServer } from './website.ts';

// Malicious websites. Most combine one long part with many short ones: code that processes the whole long part for each
// of the short ones needs minutes.

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

/** The same for the same seed: a linear congruential generator. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state % below;
  };
}

const long = (unit: string, bytes: number) => unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes);
const many = (count: number, unit: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => unit(index)).join('');

const page = (body: string, head = '') =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;

interface Answer {
  readonly status?: number;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

type Site = (path: string, request: http.IncomingMessage) => Answer;

/** The page at `/`, and nothing else. */
const only =
  (html: string | Buffer, headers: http.OutgoingHttpHeaders = {}): Site =>
  path =>
    path === '/' ? { headers, body: html } : { status: 404 };

const robots =
  (text: string, html: string): Site =>
  path =>
    path === '/robots.txt'
      ? { headers: { 'content-type': 'text/plain' }, body: text }
      : only(html)(path, null!);

const links = many(20_000, index => `<a href="${index}">`);
const images = many(20_000, index => `<img src="${index}.png">`);
const scripts = many(40, index => `<script src="/${long('a', 400)}${index}.js"></script>`);

/** Sites, by what they do. */
const hostileAnswers: Readonly<Record<string, Site>> = {
  'a long base and many links': only(page(links, `<base href="/${long('b', megabyte)}/">`)),
  'many bases and many links': only(page(many(5_000, i => `<base href="/${long('b', 60)}${i}/">`) + links)),
  'a redirect to a long address and many images': path => {
    if (path === '/') return { status: 302, headers: { location: `/${long('c', 14 * kilobyte)}/` } };
    return path.startsWith('/ccc') ? { body: page(images) } : { status: 404 };
  },
  'a query that grows with each redirect': path => ({
    status: 302,
    headers: { location: `${path}${path.includes('?') ? '&' : '?'}${long('q', 2 * kilobyte)}` },
  }),
  'many wildcards and long script paths': robots(
    `User-agent: Parapet\n${many(400, () => `Disallow: /${'*a'.repeat(16)}*b$\n`)}`,
    page(scripts),
  ),
  'one rule of wildcards': robots(`User-agent: Parapet\nDisallow: /${'*a'.repeat(8_000)}$\n`, page(scripts)),
  'many agents and many rules': robots(
    many(2_000, i => `User-agent: Parapet\nUser-agent: p${i}\nDisallow: /${i}*\n`),
    page(scripts),
  ),
  'a tag with many attributes': only(page(`<div ${many(80_000, i => `a${i}=b `)}>`)),
  'an attribute of a megabyte, many times': only(
    page(`<a href="${long('d', megabyte)}">${many(50_000, () => '<a href=x>')}`),
  ),
  'elements that are never closed': only(page(long('<div><p><b><table><tr><td><svg>', 1.5 * megabyte))),
  'comments, quotes and tags without an end': only(
    page(`${long('<!--', 300_000)}${long('<a href="', 300_000)}${long('<![CDATA[', 300_000)}`),
  ),
  'entities without end': only(page(`<a title="${long('&amp;&#x41;&lt', megabyte)}">${long('&#', 500_000)}`)),
  'text that resembles secrets': only(
    page(
      `<script>${long('AKIA', 200_000)}${long('eyJhbGciOi.', 200_000)}${long('-----BEGIN RSA PRIVATE KEY-----', 200_000)}${long('xoxb-1-', 200_000)}${long('postgres://a:', 200_000)}${long('"password":"', 200_000)}</script>`,
    ),
  ),
  'banners of libraries': only(
    page(`<script>${long('/*! jQuery v1.', 300_000)}${long('/** @license AngularJS v', 300_000)}</script>`),
  ),
  'white space and parentheses': only(
    page(`<script>${long(' \t\n', 400_000)}${long('((((', 400_000)}${long('[[[[{{{{', 400_000)}</script>`),
  ),
  'forms and fields': only(
    page(many(8_000, i => `<form action="/${i}"><input name="ssn${i}" type=password>`)),
  ),
  'a policy of many directives': only(
    page(
      many(
        300,
        () => `<meta http-equiv=content-security-policy content="${long("script-src 'self' *; ", 4_000)}">`,
      ),
    ),
    {
      'content-security-policy': long("script-src 'unsafe-inline' *.a.example; ", 6_000),
    },
  ),
  'many cookies': only(page('cookies'), {
    'set-cookie': Array.from({ length: 150 }, (_, i) => `c${i}=${long('v', 60)}; Path=/; ${long('x; ', 20)}`),
  }),
  'everything exists': path => ({
    body: path === '/' ? page(links) : long(`[core]\nAPP_KEY=x\n${path}\n`, megabyte),
  }),
  'undeclared UTF-16': only(Buffer.from(page(links), 'utf16le')),
  'compressed three times': only(
    brotliCompressSync(brotliCompressSync(brotliCompressSync(page(long('c', 16 * megabyte))))),
    { 'content-encoding': 'br, br, br' },
  ),
  'a folder with many entries': only(
    page(
      `<h1>Index of /</h1>${many(30_000, i => `<a href="${i}.zip">${i}</a> 2026-01-01 00:00 1K\n`)}`,
      '<title>Index of /</title>',
    ),
  ),
};

function pour(stream: NodeJS.WritableStream & { destroyed?: boolean }, chunk: string | Buffer): void {
  const more = () => {
    while (!stream.destroyed && stream.write(chunk));
  };
  stream.on('drain', more).on('error', () => {});
  more();
}

/** Of a member without a name (RFC 1952, 2.3). */
const gzipHeaderBytes = 10;

/** Sites that need endless responses. */
const streams: Readonly<Record<string, () => Promise<TestServer>>> = {
  'headers that never end': () =>
    rawServer(socket => {
      socket.resume().write('HTTP/1.1 200 OK\r\n');
      pour(socket, `X-More: ${long('a', 1_000)}\r\n`);
    }),
  'a bomb of gzip': () => {
    // After a full flush, a part depends on none before it. All are the same: compressing each for every request took seconds.
    const first = gzipSync(Buffer.alloc(megabyte, 'a'), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
    const further = Buffer.concat(Array.from({ length: 64 }, () => first.subarray(gzipHeaderBytes)));
    return httpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).write(first);
      pour(response, further);
    });
  },
};

/** A page combined from parts of others, a different one for each seed. */
function mixed(seed: number): Site {
  const random = randomFrom(seed);
  const units = [
    '<a href="',
    '<!--',
    '&amp;',
    '<script>',
    "'",
    '"',
    '<',
    '/*',
    '%2e',
    '\u0000',
    'é',
    '\ud83d\ude00',
    ' ',
    '*',
    '=',
    '<base href="/',
    '</',
  ];
  const pick = () => units[random(units.length)]!;
  const part = () =>
    random(2) === 0
      ? long(pick() + pick() + pick(), 50_000 + random(400_000))
      : many(5_000 + random(20_000), () => pick() + pick());
  return only(page(part() + part() + part()));
}

export interface HostileSite {
  /** What it does. */
  readonly name: string;
  /** As a source's host. */
  readonly url: string;
}

/** This many hostile websites on loopback, each on its own port: every kind in turn, then mixtures. */
export async function startHostileSites(
  count: number,
  seed = 1,
): Promise<{ sites: HostileSite[]; close(): Promise<void> }> {
  const servers: TestServer[] = [];
  const sites: HostileSite[] = [];
  const names = [...Object.keys(hostileAnswers), ...Object.keys(streams)];
  for (let index = 0; index < count; index += 1) {
    const name = names[index] ?? `a mixture of seed ${seed + index}`;
    const server = await (streams[name]?.() ??
      httpServer(serve(hostileAnswers[name] ?? mixed(seed + index))));
    servers.push(server);
    sites.push({ name, url: `http://127.0.0.1:${server.port}/` });
  }
  return { sites, close: async () => void (await Promise.all(servers.map(server => server.close()))) };
}

function serve(site: Site): http.RequestListener {
  return (request, response) => {
    const { status = 200, headers = {}, body = '' } = site(request.url!, request);
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
  };
}
