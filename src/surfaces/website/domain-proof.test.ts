import { afterEach, expect, it } from 'vitest';
import { httpServer, type TestServer } from '../../../test/support/website.ts';
import { createTargetGuard } from '../connection/target-guard.ts';
import { findDomainProof } from './domain-proof.ts';

const token = 'parapet-0123456789abcdef';
const opened: TestServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

async function site(answers: Record<string, { status?: number; body?: string; location?: string }>) {
  const server = await httpServer((request, response) => {
    const answer = answers[request.url!] ?? { status: 404 };
    if (answer.location) response.setHeader('location', answer.location);
    response.writeHead(answer.status ?? 200).end(answer.body ?? '');
  });
  opened.push(server);
  return server.port;
}

const options = (records: Record<string, string[][]> = {}) => ({
  guard: createTargetGuard({ allowlist: ['127.0.0.0/8'], resolve: async () => ['127.0.0.1'] }),
  signal: new AbortController().signal,
  resolveTxt: async (name: string) => {
    const found = records[name];
    if (!found) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return found;
  },
});

const file = '/.well-known/parapet-challenge.txt';

it('finds the token in the file', async () => {
  const port = await site({ [file]: { body: `${token}\n` } });
  expect(await findDomainProof(`http://127.0.0.1:${port}`, token, options())).toEqual({
    by: 'well_known_file',
    address: '127.0.0.1',
  });
});

it('returns the address that served the file', async () => {
  const port = await site({ [file]: { body: token } });
  const resolve = async () => ['127.0.0.2', '127.0.0.1'];
  const guard = createTargetGuard({ allowlist: ['127.0.0.0/8'], resolve });
  expect(await findDomainProof(`http://shop.example:${port}`, token, { ...options(), guard })).toEqual({
    by: 'well_known_file',
    address: '127.0.0.1',
  });
});

it.each([
  ['another token', { [file]: { body: 'parapet-ffffffffffffffff' } }],
  ['a page around it', { [file]: { body: `<p>${token}</p>` } }],
  ['an error page', { [file]: { status: 404, body: token } }],
  ['a redirect', { [file]: { status: 302, location: '/elsewhere' }, '/elsewhere': { body: token } }],
])('does not accept %s as a proof', async (_, answers) => {
  const port = await site(answers);
  expect(await findDomainProof(`http://127.0.0.1:${port}`, token, options())).toBeNull();
});

it('finds the token in DNS, in one string or several, below the exact host only', async () => {
  const host = 'http://shop.example:1';
  const at = (name: string, record: string[]) => findDomainProof(host, token, options({ [name]: [record] }));
  expect(await at('_parapet-challenge.shop.example', [token])).toEqual({ by: 'dns_txt' });
  expect(await at('_parapet-challenge.shop.example', [token.slice(0, 9), token.slice(9)])).toEqual({
    by: 'dns_txt',
  });
  expect(await at('_parapet-challenge.shop.example', ['other'])).toBeNull();
  expect(await at('_parapet-challenge.example', [token])).toBeNull();
});

it('returns the address of the file if the record exists as well', async () => {
  const port = await site({ [file]: { body: token } });
  const records = { '_parapet-challenge.shop.example': [[token]] };
  expect(await findDomainProof(`http://shop.example:${port}`, token, options(records))).toEqual({
    by: 'dns_txt',
    address: '127.0.0.1',
  });
});
