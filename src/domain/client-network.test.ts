import { expect, it } from 'vitest';
import { networksOf } from './client-network.ts';

it.each([
  ['192.0.2.7', '192.0.2.7', '192.0.2.0/24'],
  ['::ffff:192.0.2.7', '192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:1:2:3::4', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  // 6to4: the bytes after the first two are an IPv4 address.
  ['2002:c000:207::1', '2002:c000:207:0::/64', '192.0.2.0/24'],
  ['no address', 'no address', 'no address'],
])('names the networks of %s', (address, client, site) => {
  expect(networksOf(address)).toEqual({ client, site });
});
