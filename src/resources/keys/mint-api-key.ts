import type { Scope } from '../../contract/keys.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { expiryOf, mintSecrets } from '../../domain/mint-key.ts';
import { insertApiKey, type NewApiKey } from './api-keys.ts';

export interface MintOptions
  extends Pick<NewApiKey, 'kind' | 'systemId' | 'scopes' | 'allowedAddresses' | 'name' | 'replaces'> {
  /** A year from now by default. */
  readonly expiresAt?: Date | undefined;
}

/** A new key with its three values, which are shown only once. */
export interface MintedApiKey {
  readonly token: string;
  readonly token_id: string;
  readonly signing_key: string;
  readonly scopes: readonly Scope[];
  readonly expires_at: string;
}

/** Creates a key of the transaction's organization. Stored data reveals no secret. */
export async function mintApiKey(
  transaction: TenantTransaction,
  options: MintOptions,
): Promise<MintedApiKey> {
  const { token, signingKey, ...stored } = mintSecrets(options.kind);
  const key = { ...options, ...stored, expiresAt: options.expiresAt ?? expiryOf(new Date()) };
  const { id, expiresAt } = await insertApiKey(transaction, key);
  return { token, token_id: id, signing_key: signingKey, scopes: key.scopes, expires_at: expiresAt };
}
