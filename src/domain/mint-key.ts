import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { type KeyKind, signingKeyPrefix } from '../contract/keys.ts';
import { formatToken } from './bearer-token.ts';

export interface MintedSecrets {
  /** Shown once. */
  readonly token: string;
  /** Shown once: prefix and 64 characters, the PKCS#8 DER (RFC 8410) in base64url. */
  readonly signingKey: string;
  /** Stored: SHA-256 of the token. */
  readonly tokenHash: Buffer;
  /** Stored: 32 bytes. */
  readonly publicKey: Buffer;
}

/** Generates the secrets of a new key. They cannot be recovered from the stored values. */
export function mintSecrets(kind: KeyKind): MintedSecrets {
  const token = formatToken(kind, randomBytes(32));
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  return {
    token,
    signingKey: signingKeyPrefix + pkcs8.toString('base64url'),
    tokenHash: createHash('sha256').update(token).digest(),
    publicKey: rawPublicKey(publicKey),
  };
}

/**
 * The last 32 bytes of the DER (RFC 8410, section 4). Not by way of a JWK: Node 20 makes its strings while it has the lock of the generated
 * pair, and if garbage is collected at that moment, the process waits for its own lock forever.
 */
const rawPublicKey = (publicKey: KeyObject) =>
  publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);

const day = 24 * 60 * 60 * 1000;

/** All keys expire after one year (specification, section 2). */
export function expiryOf(mintedAt: Date): Date {
  return new Date(mintedAt.getTime() + 365 * day);
}
