/** The one media type of the interface, and the sixth signed value on every method (specification, section 5). */
export const mediaType = 'application/json';

/** Lower-case hex SHA-256 of the empty byte string: the signed digest of GET, HEAD and DELETE (FIPS 180-4). */
export const emptyBodyDigest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export interface SignedValues {
  /** Upper case. */
  readonly method: string;
  /** The URL's path as sent, without the query string, beginning at `/api/v1` or `/functions/v1`. */
  readonly pathname: string;
  /** Unix seconds, digits only. */
  readonly timestamp: string;
  /** 8 to 128 characters of `A–Z a–z 0–9 . _ ~ -`. */
  readonly nonce: string;
  /** Lower-case hex SHA-256 of the exact body bytes. */
  readonly bodyDigest: string;
  /** The id of the key, a UUID. */
  readonly tokenId: string;
}

/** The text whose UTF-8 bytes are signed with Ed25519 (specification, section 5; RFC 8032). */
export function canonicalMessage(values: SignedValues): string {
  const { method, pathname, timestamp, nonce, bodyDigest, tokenId } = values;
  return `v2|${method}|${pathname}|${timestamp}|${nonce}|${mediaType}|${bodyDigest}|${tokenId}|2`;
}
