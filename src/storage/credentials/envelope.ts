import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { MasterKey } from './master-key.ts';

/** An encrypted credential as it is stored. Both byte strings are nonce (12), tag (16), ciphertext. */
export interface Envelope {
  readonly masterKeyId: string;
  readonly wrappedKey: Buffer;
  readonly ciphertext: Buffer;
}

/**
 * Encrypts with AES-256-GCM (NIST SP 800-38D) under a key of its own, which the master key wraps. `context` is bound as
 * associated data to both: an envelope that is moved to another organization or source does not open.
 */
export function seal(plaintext: string, context: string, master: MasterKey): Envelope {
  const recordKey = randomBytes(32);
  return {
    masterKeyId: master.id,
    wrappedKey: encrypt(recordKey, context, master.key),
    ciphertext: encrypt(Buffer.from(plaintext, 'utf8'), context, createSecretKey(recordKey)),
  };
}

/** Throws when the master key is another one, the context differs, or a byte was changed. */
export function unseal(envelope: Envelope, context: string, master: MasterKey): string {
  if (envelope.masterKeyId !== master.id) {
    throw new Error(
      `the credential is wrapped by master key ${envelope.masterKeyId}, which is not the one in use`,
    );
  }
  const recordKey = createSecretKey(decrypt(envelope.wrappedKey, context, master.key));
  return decrypt(envelope.ciphertext, context, recordKey).toString('utf8');
}

/** The credential's own key, wrapped by another master key. The credential itself is not decrypted. Throws as `unseal`. */
export function rewrap(wrappedKey: Buffer, context: string, from: MasterKey, to: MasterKey): Buffer {
  return encrypt(decrypt(wrappedKey, context, from.key), context, to.key);
}

function encrypt(plaintext: Buffer, context: string, key: KeyObject): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

function decrypt(sealed: Buffer, context: string, key: KeyObject): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
}
