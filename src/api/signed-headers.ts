import { mediaType } from '../contract/canonical-message.ts';
import { isWellFormedToken } from '../domain/bearer-token.ts';

/** The headers of a signed request (specification, section 5), validated for format only. */
export interface SignedHeaders {
  readonly token: string;
  /** Unix seconds, digits only, as sent. */
  readonly timestamp: string;
  readonly nonce: string;
  readonly tokenId: string;
  /** 64 bytes. */
  readonly signature: Buffer;
  /** Whether a Content-Type was sent, which a body requires. */
  readonly hasMediaType: boolean;
}

const forms = {
  token: /^Bearer ([A-Za-z0-9_]{1,128})$/i,
  timestamp: /^[0-9]{1,15}$/,
  nonce: /^[A-Za-z0-9._~-]{8,128}$/,
  tokenId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  signature: /^[0-9a-f]{128}$/,
  mediaType: /^application\/json\s*(;\s*charset\s*=\s*("?)[A-Za-z0-9._-]+\2\s*)?$/i,
};

/** A header is missing, repeated or malformed. */
export interface MalformedHeaders {
  /** Its name, in lower case. */
  readonly header: string;
  /** The token id, if that is well-formed. */
  readonly claimedKey: string | undefined;
}

/**
 * Parses the signed headers. The raw list is required to detect repeated headers.
 *
 * @param prefix `x-<brand>-`
 */
export function readSignedHeaders(
  rawHeaders: readonly string[],
  prefix: string,
): SignedHeaders | MalformedHeaders {
  const found = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (name !== 'authorization' && name !== 'content-type' && !name.startsWith(prefix)) continue;
    if (found.has(name)) return malformed(ownName(name, prefix), found.get(`${prefix}token-id`));
    found.set(name, rawHeaders[index + 1]!);
  }
  const token = forms.token.exec(found.get('authorization') ?? '')?.[1];
  const timestamp = found.get(`${prefix}timestamp`) ?? '';
  const nonce = found.get(`${prefix}nonce`) ?? '';
  const tokenId = found.get(`${prefix}token-id`) ?? '';
  const signature = found.get(`${prefix}signature`) ?? '';
  const schema = found.get(`${prefix}schema`) ?? '2';
  const contentType = found.get('content-type');
  // The checksum rejects most made-up tokens without a database query.
  if (token === undefined || !isWellFormedToken(token)) return malformed('authorization', tokenId);
  if (!forms.timestamp.test(timestamp)) return malformed(`${prefix}timestamp`, tokenId);
  if (!forms.nonce.test(nonce)) return malformed(`${prefix}nonce`, tokenId);
  if (!forms.tokenId.test(tokenId)) return malformed(`${prefix}token-id`);
  if (!forms.signature.test(signature)) return malformed(`${prefix}signature`, tokenId);
  if (schema !== '2') return malformed(`${prefix}schema`, tokenId);
  if (!forms.mediaType.test(contentType ?? mediaType)) return malformed('content-type', tokenId);
  const hasMediaType = contentType !== undefined;
  return { token, timestamp, nonce, tokenId, signature: Buffer.from(signature, 'hex'), hasMediaType };
}

const suffixes = new Set(['timestamp', 'nonce', 'token-id', 'signature', 'schema']);

/** Without names that clients make up. */
function ownName(name: string, prefix: string): string {
  return !name.startsWith(prefix) || suffixes.has(name.slice(prefix.length)) ? name : `${prefix}*`;
}

function malformed(header: string, tokenId = ''): MalformedHeaders {
  return { header, claimedKey: forms.tokenId.test(tokenId) ? tokenId.toLowerCase() : undefined };
}
