import { expect, it } from 'vitest';
import { parsePermissionsPolicy } from './permissions-policy.ts';

it.each<[string, readonly string[] | null]>([
  ['camera=(), geolocation=(), microphone=()', []],
  ['geolocation=(self "https://maps.example.com"), camera=*', ['camera']],
  ['camera=*,microphone=*', ['camera', 'microphone']],
  ['camera=(* ), usb=( self )', ['camera']],
  ['camera=*, camera=()', []],
  ['fullscreen=*, interest-cohort=()', []],
  ['camera=();report-to=main, geolocation=self', []],
  ['camera', []],
  ["camera 'none'; geolocation 'self'", null],
  ["camera=('self')", null],
  ['camera=(),', null],
  ['camera=(self', null],
  ['Camera=()', null],
  ['camera=(), geolocation: ()', null],
  ['camera=(self"https://a.example")', null],
])('reads %s as browsers do', (value, open) => {
  expect(parsePermissionsPolicy(value)?.open ?? null).toEqual(open);
});
