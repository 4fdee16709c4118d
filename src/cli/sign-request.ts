import { createHash, randomBytes, sign } from 'node:crypto';
import { canonicalMessage, emptyBodyDigest, mediaType } from '../contract/canonical-message.ts';
import { ClientError } from './client-error.ts';
import type { ClientSettings } from './settings.ts';

export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  /** Path and query, starting with `/api/v1` or `/functions/v1`. */
  readonly target: string;
  /** In the order in which they are sent; `authorization` contains the token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly canonicalMessage: string;
}

/** By default the current time and 16 random bytes. */
export interface Once {
  readonly timestamp: string;
  readonly nonce: string;
}

const bodiless = new Set(['GET', 'HEAD', 'DELETE']);

/**
 * Signs one attempt of a request (specification, section 5). Every attempt needs a new signature.
 *
 * @param target path and query, starting with `/api/v1` or `/functions/v1`
 * @throws ClientError for any other target, or a body with GET, HEAD or DELETE
 */
export function signRequest(
  settings: ClientSettings,
  method: string,
  target: string,
  body?: string | Uint8Array,
  once: Once = { timestamp: String(Math.floor(Date.now() / 1000)), nonce: randomBytes(16).toString('hex') },
): SignedRequest {
  if (bodiless.has(method) && body !== undefined) throw new ClientError(`${method} does not accept a body`);
  const url = signedUrl(settings.url, target);
  // Sign the parsed path: the URL parser resolves dots and encodes characters before sending.
  const pathname = url.pathname.slice(new URL(settings.url).pathname.replace(/\/$/, '').length);
  if (!/^\/(api|functions)\/v1(\/|$)/.test(pathname)) {
    throw new ClientError('the path must start with /api/v1 or /functions/v1');
  }
  const bodyDigest = body === undefined ? emptyBodyDigest : createHash('sha256').update(body).digest('hex');
  const { tokenId, token, brand, signingKey } = settings;
  const message = canonicalMessage({ method, pathname, ...once, bodyDigest, tokenId });
  return {
    method,
    url: url.href,
    target: pathname + url.search,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': mediaType,
      [`x-${brand}-timestamp`]: once.timestamp,
      [`x-${brand}-nonce`]: once.nonce,
      [`x-${brand}-token-id`]: tokenId,
      [`x-${brand}-signature`]: sign(null, Buffer.from(message, 'utf8'), signingKey).toString('hex'),
    },
    body,
    canonicalMessage: message,
  };
}

function signedUrl(base: string, target: string): URL {
  if (!target.startsWith('/') || !URL.canParse(base + target)) {
    throw new ClientError('the path must start with /api/v1 or /functions/v1');
  }
  const url = new URL(base + target);
  if (url.hash) throw new ClientError('the path must not contain a fragment: encode # as %23');
  return url;
}
