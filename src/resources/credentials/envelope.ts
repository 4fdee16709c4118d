import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { MasterKey } from './master-key.ts';

/** An encrypted record as it is stored. Both byte strings are nonce (12), tag (16), ciphertext. */
export interface Envelope {
  readonly masterKeyId: string;
  readonly wrappedKey: Buffer;
  readonly ciphertext: Buffer;
}

/** The key of one record as it is stored: wrapped by a master key. */
export type WrappedKey = Pick<Envelope, 'masterKeyId' | 'wrappedKey'>;

/**
 * Encrypts with AES-256-GCM (NIST SP 800-38D) under a key of its own, which the master key wraps. `context` is bound as
 * associated data to both: an envelope that is moved to another organization or source does not open.
 */
export function seal(plaintext: string, context: string, master: MasterKey): Envelope {
  const { key, ...wrapped } = newRecordKey(context, master);
  return { ...wrapped, ciphertext: encrypt(Buffer.from(plaintext, 'utf8'), context, key) };
}

/** A key for one record that is encrypted in pieces, each with `encrypt` and a context of its own. */
export function newRecordKey(context: string, master: MasterKey): WrappedKey & { readonly key: KeyObject } {
  const bytes = randomBytes(32);
  const wrappedKey = encrypt(bytes, context, master.key);
  return { masterKeyId: master.id, wrappedKey, key: createSecretKey(bytes) };
}

/** Throws when the master key is another one, the context differs, or a byte was changed. */
export function openRecordKey(wrapped: WrappedKey, context: string, master: MasterKey): KeyObject {
  if (wrapped.masterKeyId !== master.id) {
    throw new Error(`it is wrapped by master key ${wrapped.masterKeyId}, which is not the one in use`);
  }
  return createSecretKey(decrypt(wrapped.wrappedKey, context, master.key));
}

/** Throws when the master key is another one, the context differs, or a byte was changed. */
export function unseal(envelope: Envelope, context: string, master: MasterKey): string {
  const key = openRecordKey(envelope, context, master);
  return decrypt(envelope.ciphertext, context, key).toString('utf8');
}

/** A record's own key, wrapped by another master key. The record itself is not decrypted. Throws as `unseal`. */
export function rewrap(wrappedKey: Buffer, context: string, from: MasterKey, to: MasterKey): Buffer {
  return encrypt(decrypt(wrappedKey, context, from.key), context, to.key);
}

/** Nonce (12), tag (16), ciphertext. `context` is bound as associated data. */
export function encrypt(plaintext: Buffer, context: string, key: KeyObject): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** Throws when the key or the context is another one, or a byte was changed. */
export function decrypt(sealed: Buffer, context: string, key: KeyObject): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
}
