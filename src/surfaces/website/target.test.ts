import { expect, it } from 'vitest';
import { originOf, parseWebsiteHost } from './target.ts';

const site = (hostname: string, https_port: number | null, http_port: number | null, path = '/') => ({
  hostname,
  path,
  https_port,
  http_port,
});

it.each([
  ['example.com', site('example.com', 443, 80)],
  ['EXAMPLE.com.', site('example.com', 443, 80)],
  ['bücher.example', site('xn--bcher-kva.example', 443, 80)],
  ['example.com:443', site('example.com', 443, 80)],
  ['example.com:80', site('example.com', 443, 80)],
  ['example.com:8443', site('example.com', 8443, 8443)],
  ['https://example.com/app?tab=1#top', site('example.com', 443, 80, '/app?tab=1')],
  ['https://example.com:8443/', site('example.com', 8443, 8443)],
  ['http://example.com', site('example.com', 443, 80)],
  ['http://example.com:8080/', site('example.com', null, 8080)],
  ['http://127.0.0.1:8080/', site('127.0.0.1', null, 8080)],
  ['192.0.2.7', site('192.0.2.7', 443, 80)],
  ['0x7f.1:8443', site('127.0.0.1', 8443, 8443)],
  ['2001:db8::1', site('2001:db8::1', 443, 80)],
  ['[2001:db8::1]:8443', site('2001:db8::1', 8443, 8443)],
  ['https://[::ffff:192.0.2.7]/', site('192.0.2.7', 443, 80)],
])('reads %s', (host, expected) => {
  expect(parseWebsiteHost(host).site).toMatchObject(expected);
});

it.each([
  '',
  'ftp://example.com',
  'javascript:alert(1)',
  'https://',
  'https://user@example.com',
  'a b',
  'example.com:99999',
  'https://exa mple.com/',
  '//example.com',
  'file:///etc/passwd',
])('refuses %j', host => {
  expect(() => parseWebsiteHost(host)).toThrow(expect.objectContaining({ errorCode: 'invalid_host' }));
});

it('reports whether the owner chose plain HTTP', () => {
  expect(parseWebsiteHost('http://example.com/').explicitHttp).toBe(true);
  expect(parseWebsiteHost('https://example.com/').explicitHttp).toBe(false);
  expect(parseWebsiteHost('example.com:80').explicitHttp).toBe(false);
});

it('writes origins as browsers do', () => {
  expect(originOf('https', 'example.com', 443)).toBe('https://example.com');
  expect(originOf('http', '2001:db8::1', 8080)).toBe('http://[2001:db8::1]:8080');
});
