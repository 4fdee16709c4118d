import { type Overlap, overlaps } from '../../contract/keys.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { type ApiKeyListing, assertRoomForKey, expireApiKey, findApiKey } from './api-keys.ts';
import { type MintedApiKey, mintApiKey } from './mint-api-key.ts';

export interface RotatedApiKey {
  readonly minted: MintedApiKey;
  /** The old key, with its new expiry. */
  readonly replaced: ApiKeyListing;
}

/**
 * Creates a key with the kind, system, scopes, name, allowed addresses and lifetime of another one, which expires after the overlap, or
 * when it would have expired anyway. Throws `not_found`, `key_not_active` and `too_many_keys`.
 */
export async function rotateApiKey(
  transaction: TenantTransaction,
  id: string,
  overlap: Overlap,
): Promise<RotatedApiKey> {
  const old = await findApiKey(transaction, id);
  if (!old) throw new Refusal('not_found');
  if (old.status !== 'active') throw new Refusal('key_not_active');
  await assertRoomForKey(transaction);
  const now = Date.now();
  const minted = await mintApiKey(transaction, {
    kind: old.kind,
    systemId: old.system_id,
    scopes: old.scopes,
    allowedAddresses: old.allowed_addresses,
    expiresAt: new Date(now + Date.parse(old.expires_at) - Date.parse(old.created_at)),
    replaces: id,
    ...(old.name ? { name: old.name } : {}),
  });
  const end = new Date(now + overlaps[overlap]);
  if (end.getTime() < Date.parse(old.expires_at)) await expireApiKey(transaction, id, end);
  transaction.audit({
    action: 'key.rotated',
    objectKind: 'key',
    objectId: id,
    detail: { replaced_by: minted.token_id, overlap },
  });
  return { minted, replaced: (await findApiKey(transaction, id))! };
}
