import { createHash } from 'node:crypto';
import { type CharacterSet, characterSets } from '../shape.ts';

/** All characters of a set, without those that only separate. */
function charactersOf(set: CharacterSet): string {
  const ranges = characterSets[set].replace('\\d', '0-9').replace('\\w', '0-9A-Za-z_');
  return [...ranges.matchAll(/(.)-(.)|[^=.~%]/g)]
    .map(([one, from, to]) => (from && to ? between(from.charCodeAt(0), to.charCodeAt(0)) : one))
    .join('');
}

const between = (from: number, to: number) =>
  String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, at) => from + at));

/** The same for the same seed. */
export function random(seed: string, set: CharacterSet, length: number): string {
  const characters = charactersOf(set);
  let text = '';
  for (let block = 0; text.length < length; block++) {
    for (const byte of createHash('sha256').update(`${seed} ${block}`).digest()) {
      text += characters[byte % characters.length];
    }
  }
  return text.slice(0, length);
}

export const b62 = (seed: string, length: number) => random(seed, 'b62', length);
export const b64u = (seed: string, length: number) => random(seed, 'b64u', length);
export const hex = (seed: string, length: number) => random(seed, 'hex', length);
/** Standard base64, whose set of a notation has more characters. */
export const b64 = (seed: string, length: number) =>
  random(seed, 'b64', length).replaceAll('-', '+').replaceAll('_', '/');

export const uuid = (seed: string) =>
  hex(seed, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

export function jwt(claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}.${b64u('signature', 43)}`;
}

export function pem(label: string, seed = label, fields = ''): string {
  const body = b64(seed, 64 * 12).match(/.{64}/g)!;
  return [
    `-----BEGIN ${label}-----`,
    ...(fields ? [fields, ''] : []),
    ...body,
    `-----END ${label}-----`,
  ].join('\n');
}
