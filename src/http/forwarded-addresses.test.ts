import { expect, it } from 'vitest';
import { forwardedAddresses } from './forwarded-addresses.ts';

it.each([
  ['192.0.2.7', ['192.0.2.7']],
  ['192.0.2.7:5678', ['192.0.2.7']],
  ['[2001:db8::1]:5678, [::1], 2001:db8::2', ['2001:db8::1', '::1', '2001:db8::2']],
  ['192.0.2.7:1,198.51.100.2', ['192.0.2.7', '198.51.100.2']],
  ['unknown', []],
  ['192.0.2.7, unknown, 198.51.100.2', ['198.51.100.2']],
  ['192.0.2.7, ', []],
  ['192.0.2.7:port', []],
  ['192.0.2.300:80', []],
  ['', []],
])('reads %j', (header, addresses) => {
  expect(forwardedAddresses(header)).toEqual(addresses);
});
