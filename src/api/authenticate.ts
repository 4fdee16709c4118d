import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { canonicalMessage, emptyBodyDigest } from '../contract/canonical-message.ts';
import { limits } from '../contract/limits.ts';
import type { Admission, RequestGuard } from '../database/request-guard.ts';
import type { RefusedBecause } from '../domain/refusal-reasons.ts';
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

/** Why a request is not admitted: for the log only. */
export interface Denied {
  readonly because: RefusedBecause;
}

/**
 * Authenticates a request. The client must not learn which check failed, neither by the answer nor by its time. Checks run from cheap to
 * expensive:
 * - The body is buffered and hashed only for a known key, but the answer always waits for the end of the body.
 * - A wrong token or a disallowed address is refused after the signature is verified, to keep the response time the same.
 * - Only a valid signature reaches the guard: without the private key, a client cannot use up nonces or limits (specification,
 *   section 5).
 */
export async function authenticate(
  incoming: Incoming,
  { signedPathname, reads }: Declared,
  options: AuthenticationOptions,
): Promise<Admitted | Denied> {
  const { raw: request } = incoming;
  assertAnnouncedLength(request);
  const caller = await identify(incoming, options);
  const isKnown = 'key' in caller;
  const body = await readBody(request, isKnown);
  if (!isKnown) return caller;
  const { key, headers } = caller;
  const denied = (reason: RefusedBecause['reason']): Denied => ({ because: { reason, claimedKey: key.id } });
  if (!body) return denied('body_incomplete');
  const method = request.method ?? '';
  if (body.length > 0 && bodiless.has(method)) return denied('body_not_allowed');
  if (body.length > 0 && !headers.hasMediaType) return denied('media_type');
  const message = canonicalMessage({
    method,
    pathname: signedPathname ?? pathnameOf(request),
    timestamp: headers.timestamp,
    nonce: headers.nonce,
    bodyDigest: body.length === 0 ? emptyBodyDigest : sha256(body).toString('hex'),
    tokenId: headers.tokenId,
  });
  const signed = verifyEd25519(headers.signature, Buffer.from(message, 'utf8'), key.publicKey);
  if (!signed) return denied('signature');
  if (!caller.matches) return denied('token');
  if (!caller.allowed) return denied('address');
  const admission = await options.guard.admit({
    keyId: key.id,
    organizationId: key.organizationId,
    nonce: headers.nonce,
    reads,
  });
  return typeof admission === 'string' ? denied(admission) : { key, body, ...admission };
}

/** A key with what must not be revealed before the signature is verified. */
interface Caller {
  readonly key: ApiKey;
  readonly headers: SignedHeaders;
  readonly matches: boolean;
  readonly allowed: boolean;
}

/** Looks up the key, and checks its bearer token and address allowlist. Does not read the body. */
async function identify(
  incoming: Incoming,
  { headerPrefix, keys }: AuthenticationOptions,
): Promise<Caller | Denied> {
  const headers = readSignedHeaders(incoming.raw.rawHeaders, headerPrefix);
  if ('header' in headers) return { because: { reason: 'headers', ...headers } };
  const claimedKey = headers.tokenId.toLowerCase();
  const aheadSeconds = Number(headers.timestamp) - Math.floor(Date.now() / 1000);
  if (Math.abs(aheadSeconds) > limits.clockWindowSeconds) {
    return { because: { reason: 'clock', claimedKey, aheadSeconds } };
  }
  const key = await keys.find(claimedKey);
  if (!key) return { because: { reason: 'key_unknown', claimedKey } };
  if (key === 'lookups_full') return { because: { reason: key, claimedKey } };
  const matches = timingSafeEqual(sha256(headers.token), key.tokenHash);
  // Also checked for a wrong token, to keep the response time the same.
  const allowed = key.allowsAddress(incoming.ip);
  return { key, headers, matches, allowed };
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
