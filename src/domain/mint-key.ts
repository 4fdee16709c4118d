import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { type KeyKind, signingKeyPrefix } from '../contract/keys.ts';
import { formatToken } from './bearer-token.ts';

export interface MintedSecrets {
  /** Shown once. */
  readonly token: string;
  /** Shown once: the prefix and the base64url of the PKCS#8 DER, 64 characters (RFC 8410). */
  readonly signingKey: string;
  /** What is kept instead of the token: its SHA-256. */
  readonly tokenHash: Buffer;
  /** What is kept instead of the signing key: 32 bytes. */
  readonly publicKey: Buffer;
}

/** The secrets of a new key. Nothing that is kept leads back to them. */
export function mintSecrets(kind: KeyKind): MintedSecrets {
  const token = formatToken(kind, randomBytes(32));
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  return {
    token,
    signingKey: signingKeyPrefix + pkcs8.toString('base64url'),
    tokenHash: createHash('sha256').update(token).digest(),
    publicKey: Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'),
  };
}

const day = 24 * 60 * 60 * 1000;

/** When a new key expires: a probe key after one year (specification, section 2), a dashboard key likewise. */
export function expiryOf(mintedAt: Date): Date {
  return new Date(mintedAt.getTime() + 365 * day);
}
