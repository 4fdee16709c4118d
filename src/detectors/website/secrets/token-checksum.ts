import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Whether the last six characters of a GitHub token's random part are the CRC-32 of those before, in base62.
 * Source: github.blog, "Behind GitHub's new authentication token formats".
 */
export function hasGithubChecksum(random: string): boolean {
  let rest = crc32(random.slice(0, -6));
  let digits = '';
  for (; rest > 0; rest = Math.floor(rest / 62)) digits = alphabet[rest % 62] + digits;
  return digits.padStart(6, '0') === random.slice(-6);
}
