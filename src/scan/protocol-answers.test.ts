import net from 'node:net';
import { expect, it } from 'vitest';
import { authority, collect, type Handler, running } from '../../test/support/collecting.ts';
import { inspectionFrom, resolvedBy } from '../../test/support/resolved-by.ts';
import { rawServer, twoProtocolServer } from '../../test/support/website.ts';

/**
 * HTTPS or plain HTTP of a flawed site answers differently but still has its flaws. Nothing may be resolved
 * or reported as new.
 */

const apiKey = ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_');
const html = { 'content-type': 'text/html; charset=utf-8' };
const form =
  '<form method=post action=/login><input name=email><input type=password name=p></form><input name=ssn>';
const flawed: Handler = (request, response) => {
  if (request.url !== '/') return response.writeHead(404, html).end('<!doctype html><p>Not here');
  return response
    .writeHead(200, { ...html, 'set-cookie': 'PHPSESSID=0123456789abcdef0123456789; path=/' })
    .end(`<!doctype html><html lang=en><script>var k='${apiKey}'</script>${form}`);
};
const sound: Handler = (request, response) =>
  response.writeHead(request.url === '/' ? 200 : 404, html).end('<!doctype html><html lang=en><p>Hello');
const status =
  (code: number, headers = {}): Handler =>
  (_, response) =>
    response.writeHead(code, { ...html, ...headers }).end('<!doctype html><p>Error');
const leadingTo =
  (scheme: string): Handler =>
  (request, response) =>
    response.writeHead(301, { location: `${scheme}://${request.headers.host}${request.url}` }).end();

interface Site {
  readonly secure: Handler;
  readonly plain: Handler;
  /** Handles connections by protocol; by default as usual. */
  readonly onConnection?: (socket: net.Socket, isTls: boolean) => boolean;
}

/** Scans a site on one port, and scans it again after it changed. */
async function scanTwice(before: Site, after: Partial<Site>, requestMs = 5_000) {
  let site = before;
  const leaf = authority.issue();
  const inner = await running(
    twoProtocolServer(
      { key: leaf.key, cert: leaf.chain },
      (request, response) => site.secure(request, response),
      (request, response) => site.plain(request, response),
    ),
  );
  const { port } = await running(
    rawServer(socket => {
      socket.once('readable', () => {
        const first = socket.read(1) as Buffer | null;
        if (first === null) return socket.destroy();
        if (site.onConnection?.(socket, first[0] === 0x16)) return;
        socket.unshift(first);
        const upstream = net.connect(inner.port, '127.0.0.1', () => socket.pipe(upstream).pipe(socket));
        upstream.on('error', () => socket.destroy());
        socket.on('close', () => upstream.destroy());
      });
    }),
  );
  const limits = { requests: 60, bytes: 1_000_000, totalMs: 20_000, requestMs };
  const look = async () => inspectionFrom(await collect(`127.0.0.1:${port}`, { limits }));
  const first = await look();
  site = { ...before, ...after };
  const second = await look();
  const known = new Set(first.seen.map(({ fingerprint }) => fingerprint));
  return {
    before: first.seen.map(({ category }) => category),
    after: second.seen.map(({ category }) => category),
    resolved: resolvedBy(first, second),
    opened: second.seen.filter(({ fingerprint }) => !known.has(fingerprint)).map(({ category }) => category),
  };
}

const reset = (socket: net.Socket) => socket.resetAndDestroy();
const close = (socket: net.Socket) => socket.end();

it.each<[string, Partial<Site>]>([
  ...[403, 429, 500, 503].map(code => [`status ${code}`, { plain: status(code) }] as [string, Partial<Site>]),
  ['an empty page', { plain: (_, response) => response.writeHead(200, html).end() }],
  ['a challenge', { plain: status(403, { 'cf-mitigated': 'challenge' }) }],
  ['a refresh', { plain: status(200, { refresh: '0; url=/check' }) }],
])('resolves nothing of a login page over plain HTTP that answers with %s', async (_, after) => {
  const { before, resolved } = await scanTwice({ secure: sound, plain: flawed }, after);
  const checks = [
    'transport.password_over_http',
    'cookies.session_not_secure',
    'hipaa.identity_form_insecure',
  ];
  expect(before).toEqual(expect.arrayContaining(checks));
  expect(resolved).toEqual([]);
});

it.each([
  ['reset', reset],
  ['closed', close],
])('resolves no login over plain HTTP whose connections are %s', async (_, end) => {
  const onConnection: Site['onConnection'] = (socket, isTls) => {
    if (!isTls) end(socket);
    return !isTls;
  };
  const { resolved } = await scanTwice({ secure: sound, plain: flawed }, { onConnection });
  expect(resolved.filter(id => id.startsWith('transport.'))).toEqual([]);
});

it('resolves no login over plain HTTP that a robots.txt denies', async () => {
  const { resolved } = await scanTwice(
    { secure: sound, plain: flawed },
    {
      plain: (request, response) =>
        request.url === '/robots.txt'
          ? response.end('User-agent: Parapet\nDisallow: /\n')
          : flawed(request, response),
    },
  );
  expect(resolved).toEqual([]);
});

it('resolves the finding of a login over plain HTTP that now redirects to HTTPS or no longer exists', async () => {
  for (const plain of [leadingTo('https'), status(404)]) {
    const { resolved } = await scanTwice({ secure: sound, plain: flawed }, { plain });
    expect(resolved).toEqual(
      expect.arrayContaining(['transport.password_over_http', 'cookies.session_not_secure']),
    );
  }
});

it.each([403, 429, 503])('keeps no_https when HTTPS answers with status %s', async code => {
  const { before, resolved } = await scanTwice(
    { secure: leadingTo('http'), plain: flawed },
    { secure: status(code) },
  );
  expect(before).toContain('transport.no_https');
  expect(resolved).not.toContain('transport.no_https');
});

const page = { secure: flawed, plain: sound };

it.each([
  ['reset', reset],
  ['closed', close],
])('keeps findings on an HTTPS page whose handshakes are %s', async (_, end) => {
  const onConnection: Site['onConnection'] = (socket, isTls) => {
    if (isTls) end(socket);
    return isTls;
  };
  const { before, resolved, opened } = await scanTwice(page, { onConnection });
  expect(before).toContain('secrets.payment_key');
  expect([resolved, opened]).toEqual([[], []]);
});

it('keeps findings on an HTTPS page that is too slow', async () => {
  const silent: Handler = () => {};
  const { resolved, opened } = await scanTwice(page, { secure: silent }, 1_000);
  expect([resolved, opened]).toEqual([[], []]);
});

it.each([
  ['the handshake', [1]],
  // The first is for robots.txt, and the client itself retries the next one.
  ['the request for the page', [2, 3, 4]],
])('retries HTTPS once when %s was reset', async (_, failing) => {
  let connections = 0;
  const { after, resolved, opened } = await scanTwice(page, {
    onConnection: (socket, isTls) => {
      if (!isTls || !failing.includes(++connections)) return false;
      reset(socket);
      return true;
    },
  });
  expect(connections).toBeGreaterThan(failing.length);
  expect(after).toContain('secrets.payment_key');
  expect([resolved, opened]).toEqual([[], []]);
});
