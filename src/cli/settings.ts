import { createPrivateKey, type KeyObject } from 'node:crypto';
import { signingKeyPrefix } from '../contract/keys.ts';
import { isUuid } from '../contract/uuid.ts';
import { ClientError } from './client-error.ts';

/** Where the service is, and the three values that were shown when the key was minted. */
export interface ClientSettings {
  /** The service's address without a slash at its end; may carry a path that a proxy takes away. */
  readonly url: string;
  readonly token: string;
  readonly tokenId: string;
  readonly signingKey: KeyObject;
  /** The word in `x-<brand>-…` headers. */
  readonly brand: string;
}

/**
 * Reads PARAPET_URL, PARAPET_TOKEN, PARAPET_TOKEN_ID, PARAPET_SIGNING_KEY and PARAPET_BRAND.
 *
 * @throws ClientError that names the variable, and never repeats a secret
 */
export function readClientSettings(env: NodeJS.ProcessEnv): ClientSettings {
  const missing = ['PARAPET_TOKEN', 'PARAPET_TOKEN_ID', 'PARAPET_SIGNING_KEY'].filter(name => !env[name]);
  if (missing.length > 0) {
    throw new ClientError(`${missing.join(', ')} must be set: \`parapet keys mint\` prints the values once`);
  }
  const brand = env.PARAPET_BRAND || 'service';
  if (!/^[a-z][a-z0-9]{0,31}$/.test(brand)) {
    throw new ClientError('PARAPET_BRAND must be lower-case letters and digits, as the service has it');
  }
  return {
    url: readUrl(env.PARAPET_URL || 'http://127.0.0.1:8080'),
    token: readToken(env.PARAPET_TOKEN!),
    tokenId: readTokenId(env.PARAPET_TOKEN_ID!),
    signingKey: readSigningKey(env.PARAPET_SIGNING_KEY!),
    brand,
  };
}

function readUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ClientError('PARAPET_URL must be an http or https address, such as http://127.0.0.1:8080');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ClientError('PARAPET_URL must be an address only: no user, query or fragment');
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (/\/(api|functions)\/v1$/.test(path)) {
    throw new ClientError('PARAPET_URL must end before /api/v1: the path of each request begins there');
  }
  return url.origin + path;
}

/** What cannot stand in a header must not reach `fetch`, whose error would repeat it. */
function readToken(value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new ClientError('PARAPET_TOKEN is not a bearer token: it has spaces or other characters');
  }
  return value;
}

function readTokenId(value: string): string {
  if (!isUuid(value.toLowerCase())) {
    throw new ClientError("PARAPET_TOKEN_ID must be the key's id, a UUID");
  }
  return value.toLowerCase();
}

function readSigningKey(value: string): KeyObject {
  const wrong = new ClientError(
    `PARAPET_SIGNING_KEY is not a signing key: it must be ${signingKeyPrefix} and 64 characters of base64url`,
  );
  const encoded = value.startsWith(signingKeyPrefix) ? value.slice(signingKeyPrefix.length) : '';
  if (!/^[A-Za-z0-9_-]{64}$/.test(encoded)) throw wrong;
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: Buffer.from(encoded, 'base64url'), format: 'der', type: 'pkcs8' });
  } catch {
    throw wrong;
  }
  if (key.asymmetricKeyType !== 'ed25519') throw wrong;
  return key;
}
