import type { KeyKind, Scope } from '../../contract/keys.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { expiryOf, mintSecrets } from '../../domain/mint-key.ts';
import { scopesOf } from '../../domain/scopes.ts';
import { insertApiKey } from './api-keys.ts';

export interface MintOptions {
  readonly kind: KeyKind;
  /** The one system of a probe key; null for a dashboard key. */
  readonly systemId: string | null;
  /** Adds the scope `sources:privileged`, to a dashboard key only. */
  readonly privileged: boolean;
  /** Addresses and CIDRs that it can be used from, normalized; none for any. */
  readonly allowedAddresses?: readonly string[];
  /** What it is for. */
  readonly name?: string;
}

/** A new key with its three values, to be shown this once. */
export interface MintedApiKey {
  readonly token: string;
  readonly token_id: string;
  readonly signing_key: string;
  readonly scopes: readonly Scope[];
  readonly expires_at: string;
}

/** Mints a key of the organization that the transaction is bound to. What is kept of it leads to no secret. */
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
