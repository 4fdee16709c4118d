import { expect, it } from 'vitest';
import { portsOf } from './host.ts';

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
