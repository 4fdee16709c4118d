import { hostname, networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { foreignTimes } from './foreign-times.ts';

it('are none on this machine', () => {
  const own = Object.values(networkInterfaces()).flatMap(one => one ?? []);
  const addresses = own.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
  for (const host of ['127.0.0.1', 'localhost', '[::1]', hostname(), ...addresses]) {
    expect(foreignTimes({ url: `http://${host}:8080` }), host).toEqual([]);
  }
});

it.each(['192.0.2.1', '[2001:db8::1]', 'crowdsec.internal', 'localhost.example.com'])(
  'are those of alerts on %s',
  host => expect(foreignTimes({ url: `https://${host}` })).toEqual(['alerts']),
);
