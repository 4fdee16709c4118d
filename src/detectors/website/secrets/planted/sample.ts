import { crc32 } from 'node:zlib';
import { partsOf } from '../shape.ts';
import { b62, b64, random } from './random.ts';

/** Made-up text of a notation, the same for the same seed. */
export function sampleOf(shape: string, seed: string): string {
  return partsOf(shape)
    .map((part, at) => {
      if ('text' in part) return part.text;
      if ('texts' in part) return part.texts[0]!;
      const length = part.most > part.least ? Math.min(part.most, part.least + 4) : part.least;
      return random(`${seed} ${at}`, part.set, length);
    })
    .join('');
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function inBase62(value: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = digits[rest % 62] + text;
  return text.padStart(6, '0');
}

/** The checksum of GitHub and npm after 30 characters. */
export const withCrc = (prefix: string, seed: string): string => {
  const body = b62(seed, 30);
  return `${prefix}${body}${inBase62(crc32(body))}`;
};

export function gitlabToken(prefix: string, seed: string): string {
  const payload = Buffer.from(`${random(seed, 'b62', 16)}o:1\nu:2\u0007`).toString('base64url');
  const text = `${prefix}${payload}.01.${payload.length.toString(36).padStart(2, '0')}`;
  return text + crc32(text).toString(36).padStart(7, '0');
}

export function grafanaToken(seed: string): string {
  const text = `glsa_${b62(seed, 32)}`;
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(text));
  return `${text}_${sum.toString('hex')}`;
}

/** A macaroon of PyPI with a random identifier. */
export function pypiToken(seed: string): string {
  const head = Buffer.from('\x02\x01\x08pypi.org\x02\x24', 'latin1');
  return `pypi-${Buffer.concat([head, Buffer.from(b62(seed, 96))]).toString('base64url')}`;
}

const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const factors = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** Bech32 of random characters (BIP 173). */
export function bech32(prefix: string, seed: string, length: number): string {
  const values = [...random(seed, 'bech32', length)].map(letter => letters.indexOf(letter));
  const codes = [...prefix].map(letter => letter.charCodeAt(0));
  const all = [
    ...codes.map(code => code >> 5),
    0,
    ...codes.map(code => code & 31),
    ...values,
    0,
    0,
    0,
    0,
    0,
    0,
  ];
  let sum = 1;
  for (const value of all) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (let bit = 0; bit < 5; bit++) if ((top >> bit) & 1) sum ^= factors[bit]!;
  }
  const check = [5, 4, 3, 2, 1, 0].map(place => ((sum ^ 1) >> (5 * place)) & 31);
  return `${prefix}1${[...values, ...check].map(value => letters[value]).join('')}`;
}

export const sentryToken = (seed: string): string =>
  `sntrys_${Buffer.from(JSON.stringify({ iat: 1_700_000_000.5, url: 'https://sentry.io', org: 'clinic' })).toString('base64')}_${b64(seed, 43)}`;

export const encodedJson = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');
