/** The only media type of the API, signed for every method (specification, section 5). */
export const mediaType = 'application/json';

/** Lowercase hex SHA-256 of zero bytes: the body digest of GET, HEAD and DELETE. */
export const emptyBodyDigest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export interface SignedValues {
  /** Uppercase. */
  readonly method: string;
  /** Path of the URL as sent, from `/api/v1` or `/functions/v1` on, without the query string. */
  readonly pathname: string;
  /** Unix seconds, digits only. */
  readonly timestamp: string;
  /** 8 to 128 characters of `A–Z a–z 0–9 . _ ~ -`. */
  readonly nonce: string;
  /** Lowercase hex SHA-256 of the exact body bytes. */
  readonly bodyDigest: string;
  /** ID of the key, a UUID. */
  readonly tokenId: string;
}

/** The text whose UTF-8 bytes are signed with Ed25519 (specification, section 5; RFC 8032). */
export function canonicalMessage(values: SignedValues): string {
  const { method, pathname, timestamp, nonce, bodyDigest, tokenId } = values;
  return `v2|${method}|${pathname}|${timestamp}|${nonce}|${mediaType}|${bodyDigest}|${tokenId}|2`;
}
