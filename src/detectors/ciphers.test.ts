import { expect, it } from 'vitest';
import { weakestOf } from './ciphers.ts';

it.each([
  ['HIGH:MEDIUM:+3DES:!aNULL', 'medium'],
  ['HIGH:!aNULL:!3DES', null],
  ['HIGH:MEDIUM:!aNULL:!3DES', null],
  ['HIGH', 'weak'],
  ['ALL', 'weak'],
  ['ALL:!aNULL', 'medium'],
  ['ALL:!aNULL:!MEDIUM', null],
  ['ALL:!ADH:!LOW:!EXP:!MD5:@STRENGTH', 'weak'],
  ['HIGH:!aNULL:RC4', 'weak'],
  ['HIGH:!aNULL:RC4:!RC4', null],
  ['HIGH:!aNULL:LOW', 'weak'],
  ['HIGH:!aNULL:EXPORT', 'weak'],
  ['HIGH:!aNULL:eNULL', 'weak'],
  ['HIGH:!aNULL:NULL:!NULL', null],
  ['DES-CBC3-SHA', 'weak'],
  ['DES-CBC3-SHA:!3DES', null],
  ['kRSA+3DES', 'weak'],
  ['ECDHE-RSA-RC4-SHA', 'weak'],
  ['ADH-AES256-SHA', 'weak'],
  ['ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384', null],
  ['ECDHE+AESGCM, ECDHE+CHACHA20', null],
  ['PROFILE=SYSTEM', null],
  ['DEFAULT', null],
  ['', null],
])('%s allows %s ciphers', (list, weakest) => {
  expect(weakestOf(list)).toBe(weakest);
});
