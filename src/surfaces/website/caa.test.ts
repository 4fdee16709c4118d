import { expect, it } from 'vitest';
import { lookUpCaa } from './caa.ts';

const site = (hostname: string, is_address = false) => ({
  hostname,
  is_address,
  path: '/',
  https_port: 443,
  http_port: 80,
});
const failing = (code: string) => Object.assign(new Error(code), { code });

it('climbs from the host to the nearest parent with records', async () => {
  const asked: string[] = [];
  const found = await lookUpCaa(site('a.b.example.com'), name => {
    asked.push(name);
    if (name !== 'example.com') return Promise.reject(failing('ENODATA'));
    return Promise.resolve([{ critical: 0, issue: 'ca.example' }]);
  });
  expect(asked).toEqual(['a.b.example.com', 'b.example.com', 'example.com']);
  expect(found).toEqual({
    assessed: true,
    value: { found_at: 'example.com', records: ['issue ca.example'] },
  });
});

it('reports that no name has records', async () => {
  const found = await lookUpCaa(site('www.example.com'), () => Promise.reject(failing('ENOTFOUND')));
  expect(found).toEqual({ assessed: true, value: { found_at: null, records: [] } });
});

it.each([
  ['the name server does not answer', site('www.example.com')],
  ['the host is an address', site('192.0.2.7', true)],
  ['the host is a local name', site('localhost')],
])('does not assess CAA if %s', async (_, target) => {
  expect(await lookUpCaa(target, () => Promise.reject(failing('ETIMEOUT')))).toMatchObject({
    assessed: false,
  });
});
