import { expect, it } from 'vitest';
import { testAuthority, testCertificate } from '../../../test/support/certificates.ts';
import { httpServer, httpsServer, rawServer } from '../../../test/support/website.ts';
import { createTargetGuard, type TargetGuard } from '../connection/target-guard.ts';
import { postMessage } from './post-message.ts';

const authority = testAuthority();
const allowed = createTargetGuard({ allowlist: ['127.0.0.0/8'] });
const nothingAllowed = createTargetGuard({ allowlist: [] });
/** This machine, as if it were a public address. */
const asPublic: TargetGuard = {
  pin: async hostname => ({
    hostname,
    isAddress: false,
    addresses: [{ address: '127.0.0.1', family: 4, isAllowlisted: false }],
  }),
};

const post = (url: string, guard = allowed) =>
  postMessage(url, '{"text":"ü"}', {
    guard,
    userAgent: 'Parapet/test',
    trustedRoots: [authority.root],
    signal: AbortSignal.timeout(10_000),
  });

it('posts JSON with TLS, and reads the status', async () => {
  const { chain: cert, key } = authority.issue();
  const got: string[] = [];
  const server = await httpsServer({ cert, key }, (request, response) => {
    request.setEncoding('utf8').on('data', part => got.push(`${request.method} ${request.url} ${part}`));
    request.on('end', () => response.writeHead(429, { 'retry-after': '90' }).end('slow down'));
  });
  expect(await post(`https://127.0.0.1:${server.port}/hook?a=1`)).toEqual({
    status: 429,
    retryAfterSeconds: 90,
  });
  expect(got).toEqual(['POST /hook?a=1 {"text":"ü"}']);
  await server.close();
});

it('posts to no certificate that is not trusted, no private address, and without TLS only where the operator allows it', async () => {
  const { certificate: cert, key } = testCertificate();
  let asked = 0;
  const answer = () => {
    asked += 1;
  };
  const [untrusted, plain] = await Promise.all([httpsServer({ cert, key }, answer), httpServer(answer)]);
  expect(await post(`https://127.0.0.1:${untrusted.port}/`)).toEqual({ errorCode: 'tls_untrusted' });
  expect(await post(`http://127.0.0.1:${plain.port}/`, nothingAllowed)).toEqual({
    errorCode: 'refused_private_address',
  });
  expect(await post(`http://chat.example:${plain.port}/`, asPublic)).toEqual({ errorCode: 'tls_required' });
  expect(asked).toBe(0);
  await Promise.all([untrusted.close(), plain.close()]);
});

it('reports servers that answer with anything else, or not at all', async () => {
  const garbage = await rawServer(socket => socket.end('hello\r\n\r\n'));
  expect(await post(`http://127.0.0.1:${garbage.port}/`)).toHaveProperty('errorCode');
  await garbage.close();
  expect(await post(`http://127.0.0.1:${garbage.port}/`)).toEqual({ errorCode: 'connection_refused' });
});
