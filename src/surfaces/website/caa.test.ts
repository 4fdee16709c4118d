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

it('does not assess CAA if the name server does not answer', async () => {
  const found = await lookUpCaa(site('www.example.com'), () => Promise.reject(failing('ETIMEOUT')));
  expect(found).toMatchObject({ assessed: false });
});

it('looks up the name itself below a hosting provider’s domain', async () => {
  const found = await lookUpCaa(site('clinic.github.io'), () => Promise.resolve([{ issue: 'ca.example' }]));
  expect(found).toMatchObject({ assessed: true, value: { found_at: 'clinic.github.io' } });
});

it.each([
  site('192.0.2.7', true),
  site('2001:db8::7', true),
  site('localhost'),
  site('app.localhost'),
  site('intranet'),
  site('wiki.internal'),
  site('printer.local'),
])('sends no query for $hostname, which has no CAA records', async target => {
  const never = () => Promise.reject(new Error('queried'));
  expect(await lookUpCaa(target, never)).toEqual({ assessed: true, value: null });
});
