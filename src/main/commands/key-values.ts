import { errorCatalogue } from '../../contract/errors.ts';
import { Timestamp } from '../../contract/values.ts';
import type { TenantStore } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { linearAjv } from '../../http/validation.ts';
import type { Storage } from '../../resources/storage.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { operator } from '../operator.ts';
import { givenId } from '../organization-id.ts';

/** JavaScript's Date accepts February 30 as March 2. */
export function readTime(option: string, given: string): Date {
  if (!linearAjv().validate(Timestamp, given)) {
    throw new ConfigurationError(
      `${option} must be ISO 8601 with a UTC offset, such as 2026-12-31T00:00:00Z`,
    );
  }
  return new Date(given);
}

/** Empty for a key without an address allowlist. */
export function fromAddresses(addresses: readonly string[], separator: string): string {
  return addresses.length === 0 ? '' : `${separator}from ${addresses.join(' ')}`;
}

/** @throws ConfigurationError with the text of a refusal */
export function explainRefusal(error: unknown): never {
  if (error instanceof Refusal) throw new ConfigurationError(errorCatalogue[error.code].error);
  throw error;
}

export async function tenantOfKey(storage: Storage, tokenId: string): Promise<TenantStore> {
  const key = await storage.lookups.findApiKey(givenId('<token-id>', tokenId));
  if (typeof key !== 'object') throw new ConfigurationError(`key ${tokenId} not found`);
  return storage.tenant(key.organizationId, operator);
}
