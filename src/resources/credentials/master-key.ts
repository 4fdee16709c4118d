import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { StorageError } from '../../database/storage-error.ts';

/** The key that wraps every credential's own key. It is never stored in the database. */
export interface MasterKey {
  /** 16 hex characters that identify the key and reveal nothing about it. */
  readonly id: string;
  readonly key: KeyObject;
}

/**
 * Parses a master key: 32 bytes in base64.
 *
 * @param name its origin, for the `StorageError` thrown for an invalid key, which does not repeat the value
 * @param remedy how to fix an invalid key
 */
export function parseMasterKey(
  value: string,
  name = 'PARAPET_MASTER_KEY',
  remedy = 'make one with: openssl rand -base64 32',
): MasterKey {
  const bytes = Buffer.from(value.trim(), 'base64');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(value.trim()) || bytes.length !== 32) {
    throw new StorageError(`${name} must be 32 bytes in base64 (${remedy})`);
  }
  const id = createHash('sha256').update('parapet master key id').update(bytes).digest('hex').slice(0, 16);
  return { id, key: createSecretKey(bytes) };
}
