import { expect, it } from 'vitest';
import { blockedAddress } from './target-allowlist.ts';

const isBlocked = blockedAddress(['10.20.0.0/16', 'fd00:1::/32']);

it.each([
  ...['10.1.2.3', '10.1.2.3:6379', 'http://10.1.2.3:8080/app', '127.0.0.1:3000', '192.168.1.7', '172.16.0.1'],
  ...['169.254.169.254', '100.64.0.1', '0.0.0.0', '[::1]', '[::1]:5432', '[fd00:2::1]', '[fe80::1]'],
  ...['[::ffff:10.1.2.3]:5432', 'https://[::1]/', '168.63.129.16'],
])('blocks %s', host => {
  expect(isBlocked(host)).toBe(true);
});

it.each([
  ...['10.20.3.4', '10.20.3.4:6379', 'http://10.20.3.4/', '[fd00:1::7]:5432', '93.184.215.14'],
  ...['[2606:4700::1]', 'shop.example.org', 'localhost', 'localhost:3000', 'db.internal'],
])('does not block %s', host => {
  expect(isBlocked(host)).toBe(false);
});
