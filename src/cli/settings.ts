import { createPrivateKey, type KeyObject } from 'node:crypto';
import { signingKeyPrefix } from '../contract/keys.ts';
import { readUuid } from '../contract/uuid.ts';
import { secretOf } from '../domain/secret-variable.ts';
import { ClientError } from './client-error.ts';

/** The URL of the service and the three values of a key. */
export interface ClientSettings {
  /** Without a trailing slash; may contain a path that a proxy removes. */
  readonly url: string;
  readonly token: string;
  readonly tokenId: string;
  readonly signingKey: KeyObject;
  /** The word in `x-<brand>-…` headers. */
  readonly brand: string;
}

/** Names of the values of a key, where they come from. */
type KeyNames = Readonly<Record<'token' | 'tokenId' | 'signingKey', string>>;

/**
 * Reads PARAPET_URL, PARAPET_TOKEN, PARAPET_TOKEN_ID, PARAPET_SIGNING_KEY and PARAPET_BRAND; the token and the signing key also from
 * files, see `secretOf`.
 *
 * @param names of the key's values in messages
 * @throws ClientError, or SecretUnreadable, that names the variable and never includes a secret
 */
export function readClientSettings(
  env: NodeJS.ProcessEnv,
  names: KeyNames = {
    token: 'PARAPET_TOKEN',
    tokenId: 'PARAPET_TOKEN_ID',
    signingKey: 'PARAPET_SIGNING_KEY',
  },
): ClientSettings {
  const token = secretOf(env, 'PARAPET_TOKEN');
  const tokenId = env.PARAPET_TOKEN_ID;
  const signingKey = secretOf(env, 'PARAPET_SIGNING_KEY');
  if (!token || !tokenId || !signingKey) {
    const values = { PARAPET_TOKEN: token, PARAPET_TOKEN_ID: tokenId, PARAPET_SIGNING_KEY: signingKey };
    const missing = Object.entries(values).flatMap(([name, value]) => (value ? [] : [name]));
    throw new ClientError(
      `${missing.join(', ')} must be set to the values of a key (\`parapet keys mint\` prints them)`,
    );
  }
  const brand = env.PARAPET_BRAND || 'service';
  if (!/^[a-z][a-z0-9]{0,31}$/.test(brand)) {
    throw new ClientError('PARAPET_BRAND must be lowercase letters and digits, the same as on the service');
  }
  return {
    url: readUrl(env.PARAPET_URL || 'http://127.0.0.1:8080'),
    token: readToken(token, names.token),
    tokenId: readTokenId(tokenId, names.tokenId),
    signingKey: readSigningKey(signingKey, names.signingKey),
    brand,
  };
}

function readUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ClientError('PARAPET_URL must be an http or https URL, such as http://127.0.0.1:8080');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ClientError('PARAPET_URL must not contain a user, query or fragment');
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (/\/(api|functions)\/v1$/.test(path)) {
    throw new ClientError('PARAPET_URL must not include /api/v1 or /functions/v1');
  }
  return url.origin + path;
}

/** `fetch` would repeat an invalid header value in its error. */
function readToken(value: string, name: string): string {
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new ClientError(`${name} is not a bearer token: it contains spaces or invalid characters`);
  }
  return value;
}

function readTokenId(value: string, name: string): string {
  const id = readUuid(value);
  if (!id) throw new ClientError(`${name} must be a UUID`);
  return id;
}

function readSigningKey(value: string, name: string): KeyObject {
  const wrong = new ClientError(
    `${name} is not a signing key: it must be ${signingKeyPrefix} followed by 64 base64url characters`,
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
