import { expect, it } from 'vitest';
import { forwardedClient } from './forwarded-address.ts';
import { proxyTest } from './trusted-proxies.ts';

const isProxy = proxyTest(['10.0.0.0/8', '::1']);

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:5678', '192.0.2.7'],
  ['192.0.2.7, 10.0.0.1', '192.0.2.7'],
  ['192.0.2.7, 198.51.100.2, 10.0.0.1', '198.51.100.2'],
  ['[2001:db8::1]:5678, [::1], 10.0.0.1:80', '2001:db8::1'],
  ['::ffff:10.1.1.1, 10.0.0.1', '::ffff:10.1.1.1'],
  ['10.0.0.2, 10.0.0.1', '10.0.0.2'],
  ['192.0.2.7, unknown, 198.51.100.2', '198.51.100.2'],
  ['192.0.2.7, unknown, 10.0.0.1', '10.0.0.1'],
  [',198.51.100.2', '198.51.100.2'],
  [',10.0.0.1', '10.0.0.1'],
  ['unknown', undefined],
  ['192.0.2.7, ', undefined],
  ['192.0.2.7:port', undefined],
  ['192.0.2.300:80', undefined],
  [',', undefined],
  ['', undefined],
])('reads %j', (header, client) => {
  expect(forwardedClient(header, isProxy)).toBe(client);
});

it.each(['10.0.0.1,', '[::1]:1,'])('reads few entries of many %j', unit => {
  const header = `${unit.repeat(16_000 / unit.length)}10.0.0.1`;
  let calls = 0;
  forwardedClient(header, address => {
    calls += 1;
    return isProxy(address);
  });
  expect(calls).toBeLessThanOrEqual(20);
});
