import { crc32 } from 'node:zlib';
import { type KeyKind, tokenPrefix } from '../contract/keys.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 is the first power of 62 above 2^256: 32 bytes always fit into 43 characters. */
const secretLength = 43;
const checksumLength = 6;

/**
 * Formats a bearer token: prefix, the 32 secret bytes in base62, and the CRC-32 (ISO 3309) of both in base62. The checksum lets
 * secret scanners recognize real tokens offline.
 */
export function formatToken(kind: KeyKind, secret: Uint8Array): string {
  const body = tokenPrefix[kind] + base62(BigInt(`0x${Buffer.from(secret).toString('hex')}`), secretLength);
  return body + base62(BigInt(crc32(body)), checksumLength);
}

/** Checks the format and the checksum, not whether the token is valid. */
export function isWellFormedToken(token: string): boolean {
  const prefix = Object.values(tokenPrefix).find(candidate => token.startsWith(candidate));
  if (!prefix || token.length !== prefix.length + secretLength + checksumLength) return false;
  const body = token.slice(0, -checksumLength);
  return (
    /^[0-9A-Za-z]+$/.test(token.slice(prefix.length)) &&
    token === body + base62(BigInt(crc32(body)), checksumLength)
  );
}

function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; rest > 0n; rest /= 62n) digits = alphabet[Number(rest % 62n)] + digits;
  return digits.padStart(length, '0');
}
