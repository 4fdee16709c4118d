import type { KeyKind, Scope } from '../../contract/keys.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { expiryOf, mintSecrets } from '../../domain/mint-key.ts';
import { scopesOf } from '../../domain/scopes.ts';
import { insertApiKey } from './api-keys.ts';

export interface MintOptions {
  readonly kind: KeyKind;
  /** The only system of a probe key; null for a dashboard key. */
  readonly systemId: string | null;
  /** Adds the scope `sources:privileged`, for dashboard keys only. */
  readonly privileged: boolean;
  /** Normalized addresses and CIDRs that may use it; any if missing. */
  readonly allowedAddresses?: readonly string[];
  /** Its purpose. */
  readonly name?: string;
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
  const { kind, systemId, name, allowedAddresses = [] } = options;
  const secrets = mintSecrets(kind);
  const scopes = scopesOf(kind, options);
  const { tokenHash, publicKey } = secrets;
  const expiry = { expiresAt: expiryOf(new Date()) };
  const key = {
    kind,
    systemId,
    tokenHash,
    publicKey,
    scopes,
    allowedAddresses,
    ...expiry,
    ...(name ? { name } : {}),
  };
  const { id, expiresAt } = await insertApiKey(transaction, key);
  return {
    token: secrets.token,
    token_id: id,
    signing_key: secrets.signingKey,
    scopes,
    expires_at: expiresAt,
  };
}
