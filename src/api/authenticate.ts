import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { canonicalMessage, emptyBodyDigest } from '../contract/canonical-message.ts';
import { limits } from '../contract/limits.ts';
import type { Admission, RequestGuard } from '../database/request-guard.ts';
import type { ApiKey } from '../resources/keys/api-keys.ts';
import { verifyEd25519 } from './ed25519.ts';
import type { KeyCache } from './key-cache.ts';
import { pathnameOf } from './pathname.ts';
import { assertAnnouncedLength, readBody } from './plugins/read-body.ts';
import { readSignedHeaders, type SignedHeaders } from './signed-headers.ts';

export interface AuthenticationOptions {
  readonly keys: KeyCache;
  readonly guard: Pick<RequestGuard, 'admit'>;
  /** `x-<brand>-`. */
  readonly headerPrefix: string;
}

/** An authenticated request: the key, the verified body, and the admission. */
export interface Admitted extends Admission {
  readonly key: ApiKey;
  readonly body: Buffer;
}

/** `ip` is the client address, which trusted proxies may forward. */
type Incoming = Pick<FastifyRequest, 'raw' | 'ip'>;

/** What the matched route declares. */
type Declared = Pick<FastifyContextConfig, 'signedPathname' | 'reads'>;

const bodiless = new Set(['GET', 'HEAD', 'DELETE']);

/**
 * Authenticates a request, or returns undefined without revealing which check failed. Checks run from cheap to expensive:
 * - The body is buffered and hashed only for a known key, but the answer always waits for the end of the body.
 * - A wrong token or a disallowed address is refused after the signature is verified, to keep the response time the same.
 * - Only a valid signature reaches the guard: without the private key, a client cannot use up nonces or limits (specification,
 *   section 5).
 */
export async function authenticate(
  incoming: Incoming,
  { signedPathname, reads }: Declared,
  options: AuthenticationOptions,
): Promise<Admitted | undefined> {
  const { raw: request } = incoming;
  assertAnnouncedLength(request);
  const caller = await identify(incoming, options);
  const body = await readBody(request, caller !== undefined);
  if (!caller || !body) return undefined;
  const { key, headers } = caller;
  const method = request.method ?? '';
  if (body.length > 0 && (bodiless.has(method) || !headers.hasMediaType)) return undefined;
  const message = canonicalMessage({
    method,
    pathname: signedPathname ?? pathnameOf(request),
    timestamp: headers.timestamp,
    nonce: headers.nonce,
    bodyDigest: body.length === 0 ? emptyBodyDigest : sha256(body).toString('hex'),
    tokenId: headers.tokenId,
  });
  const signed = verifyEd25519(headers.signature, Buffer.from(message, 'utf8'), key.publicKey);
  if (!signed || !caller.mayUse) return undefined;
  const admission = await options.guard.admit({
    keyId: key.id,
    organizationId: key.organizationId,
    nonce: headers.nonce,
    reads,
  });
  return admission && { key, body, ...admission };
}

/** Looks up the key, and checks its bearer token and address allowlist. Does not read the body. */
async function identify(
  incoming: Incoming,
  { headerPrefix, keys }: AuthenticationOptions,
): Promise<{ key: ApiKey; headers: SignedHeaders; mayUse: boolean } | undefined> {
  const headers = readSignedHeaders(incoming.raw.rawHeaders, headerPrefix);
  if (!headers) return undefined;
  const skew = Math.abs(Math.floor(Date.now() / 1000) - Number(headers.timestamp));
  if (skew > limits.clockWindowSeconds) return undefined;
  const key = await keys.find(headers.tokenId.toLowerCase());
  if (!key) return undefined;
  const matches = timingSafeEqual(sha256(headers.token), key.tokenHash);
  // Also checked for a wrong token, to keep the response time the same.
  const allowed = key.allowsAddress(incoming.ip);
  return { key, headers, mayUse: matches && allowed };
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
