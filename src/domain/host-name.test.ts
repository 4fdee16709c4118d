import { expect, it } from 'vitest';
import { hostNameOf } from './host-name.ts';

it.each([
  [
    'shop.example',
    [
      'shop.example',
      'SHOP.example.',
      'https://shop.example:8443/a?b#c',
      'http://x@shop.example/',
      'http://shop.example:80/a:b',
    ],
  ],
  ['192.0.2.1', ['192.0.2.1:80', 'http://0xc0000201/', '[::ffff:192.0.2.1]:443', 'https://%31%392.0.2.1']],
  ['2001:db8::1', ['2001:db8::1', '[2001:DB8:0::1]:5432', 'https://[2001:db8::1]/']],
  ['no host', ['No host']],
])('knows %s in every spelling', (name, hosts) => {
  for (const host of hosts) expect([host, hostNameOf(host)]).toEqual([host, name]);
});
