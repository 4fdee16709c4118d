import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { MasterKey } from './master-key.ts';

/** An encrypted record as stored. Both byte strings are nonce (12), tag (16), ciphertext. */
export interface Envelope {
  readonly masterKeyId: string;
  readonly wrappedKey: Buffer;
  readonly ciphertext: Buffer;
}

/** A record's key as stored: wrapped by a master key. */
export type WrappedKey = Pick<Envelope, 'masterKeyId' | 'wrappedKey'>;

/**
 * Encrypts with AES-256-GCM (NIST SP 800-38D) under a new key, which the master key wraps. `context` is associated data
 * of both, so that an envelope does not open after it was moved to another organization or source.
 */
export function seal(plaintext: string, context: string, master: MasterKey): Envelope {
  const { key, ...wrapped } = newRecordKey(context, master);
  return { ...wrapped, ciphertext: encrypt(Buffer.from(plaintext, 'utf8'), context, key) };
}

/** A new key for a record that is encrypted in pieces, each with `encrypt` and its own context. */
export function newRecordKey(context: string, master: MasterKey): WrappedKey & { readonly key: KeyObject } {
  const bytes = randomBytes(32);
  const wrappedKey = encrypt(bytes, context, master.key);
  return { masterKeyId: master.id, wrappedKey, key: createSecretKey(bytes) };
}

/** Throws if the master key or context does not match, or a byte was changed. */
export function openRecordKey(wrapped: WrappedKey, context: string, master: MasterKey): KeyObject {
  if (wrapped.masterKeyId !== master.id) {
    throw new Error(`it is wrapped by master key ${wrapped.masterKeyId}, which is not the one in use`);
  }
  return createSecretKey(decrypt(wrapped.wrappedKey, context, master.key));
}

/** Throws if the master key or context does not match, or a byte was changed. */
export function unseal(envelope: Envelope, context: string, master: MasterKey): string {
  const key = openRecordKey(envelope, context, master);
  return decrypt(envelope.ciphertext, context, key).toString('utf8');
}

/** Wraps a record's key by another master key, without decrypting the record. Throws like `unseal`. */
export function rewrap(wrappedKey: Buffer, context: string, from: MasterKey, to: MasterKey): Buffer {
  return encrypt(decrypt(wrappedKey, context, from.key), context, to.key);
}

/** Nonce (12), tag (16), ciphertext. `context` is associated data. */
export function encrypt(plaintext: Buffer, context: string, key: KeyObject): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** Throws if the key or context does not match, or a byte was changed. */
export function decrypt(sealed: Buffer, context: string, key: KeyObject): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
}
