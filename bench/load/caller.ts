import { createHash, createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { canonicalMessage, emptyBodyDigest } from '../../src/contract/canonical-message.ts';

/** An API key, serializable for another process. */
export interface Caller {
  readonly token: string;
  readonly tokenId: string;
  readonly signingKey: string;
  /** A system of the key's organization. */
  readonly systemId: string;
  /** An owner of the organization, signed in. */
  readonly person?: Person;
}

export interface Person {
  readonly organizationId: string;
  /** A finding of the organization. */
  readonly findingId: string;
  /** The session cookie as `name=value`. */
  readonly cookie: string;
  readonly csrf: string;
}

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly body?: string;
  /** Sends `If-None-Match: *`, which matches any response. */
  readonly isCurrent?: boolean;
}

const keys = new WeakMap<Caller, KeyObject>();

/** The bytes of a signed request, with a new nonce. */
export function signedBytes(caller: Caller, request: Request): Buffer {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomBytes(16).toString('base64url');
  const message = canonicalMessage({
    method: request.method,
    pathname: request.target.split('?')[0]!,
    timestamp,
    nonce,
    bodyDigest: request.body === undefined ? emptyBodyDigest : sha256(request.body),
    tokenId: caller.tokenId,
  });
  return httpBytes(request, [
    `Authorization: Bearer ${caller.token}`,
    `x-service-timestamp: ${timestamp}`,
    `x-service-nonce: ${nonce}`,
    `x-service-token-id: ${caller.tokenId}`,
    `x-service-signature: ${sign(null, Buffer.from(message), keyOf(caller)).toString('hex')}`,
  ]);
}

/** The same request for the minimal service: a bearer token and a nonce. */
export function bearerBytes(caller: Caller, request: Request): Buffer {
  const nonce = randomBytes(16).toString('base64url');
  return httpBytes(request, [`Authorization: Bearer ${caller.token}`, `x-nonce: ${nonce}`]);
}

/** A request of the dashboard. */
export function sessionBytes({ cookie, csrf }: Person, request: Request): Buffer {
  return httpBytes(request, [`Cookie: ${cookie}`, `x-csrf-token: ${csrf}`, 'Origin: http://127.0.0.1']);
}

function httpBytes({ method, target, body, isCurrent }: Request, headers: readonly string[]): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: 127.0.0.1', ...headers];
  if (isCurrent) lines.push('If-None-Match: *');
  if (body !== undefined) {
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

/** Cached, because parsing a key costs as much as signing. */
function keyOf(caller: Caller): KeyObject {
  let key = keys.get(caller);
  if (!key) {
    const der = Buffer.from(caller.signingKey.replace('svc_sign_', ''), 'base64url');
    key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    keys.set(caller, key);
  }
  return key;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
