import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { canonicalMessage, emptyBodyDigest } from '../contract/canonical-message.ts';
import { limits } from '../contract/limits.ts';
import type { ApiKey } from '../storage/api-keys.ts';
import type { Admission, RequestGuard } from '../storage/request-guard.ts';
import { verifyEd25519 } from './ed25519.ts';
import type { KeyCache } from './key-cache.ts';
import { pathnameOf } from './pathname.ts';
import { readSignedHeaders } from './signed-headers.ts';

export interface AuthenticationOptions {
  readonly keys: KeyCache;
  readonly guard: Pick<RequestGuard, 'admit'>;
  /** `x-<brand>-`. */
  readonly headerPrefix: string;
}

/** Who may go on, and what it will see at least. */
export interface Admitted extends Admission {
  readonly key: ApiKey;
}

const bodiless = new Set(['GET', 'HEAD', 'DELETE']);

/**
 * Admits a request, or gives undefined: nobody but this function learns which check failed. The checks
 * run from cheap to dear, and only a request whose signature is valid reaches the guard: without the private key nobody
 * can spend a nonce or a limit (specification, section 5).
 */
export async function authenticate(
  request: IncomingMessage,
  body: Buffer,
  options: AuthenticationOptions,
): Promise<Admitted | undefined> {
  const method = request.method ?? '';
  if (body.length > 0 && bodiless.has(method)) return undefined;
  const headers = readSignedHeaders(request.rawHeaders, options.headerPrefix, body.length > 0);
  if (!headers) return undefined;
  const skew = Math.abs(Math.floor(Date.now() / 1000) - Number(headers.timestamp));
  if (skew > limits.clockWindowSeconds) return undefined;
  const key = await options.keys.find(headers.tokenId.toLowerCase());
  if (!key || !timingSafeEqual(sha256(headers.token), key.tokenHash)) return undefined;
  const message = canonicalMessage({
    method,
    pathname: pathnameOf(request),
    timestamp: headers.timestamp,
    nonce: headers.nonce,
    bodyDigest: body.length === 0 ? emptyBodyDigest : sha256(body).toString('hex'),
    tokenId: headers.tokenId,
  });
  if (!verifyEd25519(headers.signature, Buffer.from(message, 'utf8'), key.publicKey)) return undefined;
  const admission = await options.guard.admit({
    keyId: key.id,
    organizationId: key.organizationId,
    nonce: headers.nonce,
  });
  return admission && { key, ...admission };
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
