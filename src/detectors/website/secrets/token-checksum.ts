import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** CRC-32 in base62, six characters. */
function checksumInBase62(text: string): string {
  let rest = crc32(text);
  let written = '';
  for (; rest > 0; rest = Math.floor(rest / 62)) written = digits[rest % 62] + written;
  return written.padStart(6, '0');
}

/**
 * Whether the last six characters of the random part of a token of GitHub or npm are the CRC-32 of those before, in base62.
 * Sources: github.blog, "Behind GitHub's new authentication token formats" and "Announcing npm's new access token format".
 */
export function hasGithubChecksum(random: string): boolean {
  return checksumInBase62(random.slice(0, -6)) === random.slice(-6);
}

/**
 * Whether a routable token of GitLab ends with its payload's length and its CRC-32, both in base36.
 * Source: gitlab-org/gitlab, lib/authn/token_field/generator/routable_token.rb.
 */
export function hasGitlabChecksum(token: string): boolean {
  const [, payload = '', length = ''] =
    /([\w-]{27,300})(?:\.\w\w)?\.([\da-z]{2})[\da-z]{7}$/.exec(token) ?? [];
  const sum = crc32(token.slice(0, -7)).toString(36).padStart(7, '0');
  // A word before the payload names its kind, as in `glrt-t3_`.
  return token.endsWith(sum) && payload.length >= Number.parseInt(length, 36);
}

/** Whether a token of Grafana ends with its CRC-32, from the last byte. Source: grafana/grafana, pkg/components/satokengen. */
export function hasGrafanaChecksum(token: string): boolean {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(token.slice(0, -9)));
  return token.slice(-8).toLowerCase() === sum.toString('hex');
}

/** Whether a token of PyPI is a macaroon of pypi.org: version 2, then its location. */
export function isPypiMacaroon(encoded: string): boolean {
  const bytes = Buffer.from(encoded.slice(0, 60), 'base64url').toString('latin1');
  return /^\x02\x01(?:\x08pypi\.org|\x0dtest\.pypi\.org)/.test(bytes);
}

/** Whether a text is base64 of a JSON object, and the object; null otherwise. */
export function encodedObject(encoded: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const bech32Letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const bech32Factors = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** Whether a Bech32 text ends with its checksum (BIP 173), as keys of age and Nostr do. At most 200 characters. */
export function hasBech32Checksum(text: string): boolean {
  const plain = text.slice(0, 200).toLowerCase();
  const at = plain.lastIndexOf('1');
  const prefix = [...plain.slice(0, at)].map(letter => letter.charCodeAt(0));
  const values = [...prefix.map(code => code >> 5), 0, ...prefix.map(code => code & 31)];
  for (const letter of plain.slice(at + 1)) values.push(bech32Letters.indexOf(letter));
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    bech32Factors.forEach((factor, bit) => {
      if ((top >> bit) & 1) sum ^= factor;
    });
  }
  return at > 0 && sum === 1;
}
