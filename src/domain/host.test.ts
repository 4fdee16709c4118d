import { expect, it } from 'vitest';
import { normalizeHost, portsOf } from './host.ts';

it.each([
  ['website', 'shop.example', [80, 443]],
  ['website', 'https://shop.example/app', [80, 443]],
  ['website', 'http://shop.example:8080/a:1', [8080, 80, 443]],
  ['website', '[::1]:8443', [8443, 80, 443]],
  ['website', '[::1]', [80, 443]],
  ['postgres', 'db.example', [5432]],
  ['postgres', '[::1]:6432', [6432]],
  ['mysql', 'db.example', [3306]],
  ['redis', 'db.example', [6379]],
  ['supabase', 'db.example:8000', [8000]],
] as const)('knows the ports of the %s %s', (kind, host, ports) => {
  expect(portsOf(kind, host)).toEqual(ports);
});

it.each([
  'http://www.example.com:8080//blog.example.com:8081/',
  'https://example.com//[/',
  'https://example.com///',
])('refuses the host %s, whose path could name another host', host => {
  expect(() => normalizeHost('website', host)).toThrow(
    expect.objectContaining({
      details: { fields: [{ path: 'host', message: 'must not have a path that begins with "//"' }] },
    }),
  );
});

it('accepts "//" later in a path', () => {
  expect(normalizeHost('website', 'https://example.com/a//b')).toBe('https://example.com/a//b');
});
