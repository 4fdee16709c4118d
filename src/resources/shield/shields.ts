import { db } from '../../database/query-builder.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { isOf } from '../own-checks.ts';

/**
 * Turns Shield on for a website. The transaction's actor must be a person, and the source locked. Throws `forbidden`,
 * `source_is_disconnected` and `shield_needs_website`.
 */
export async function turnShieldOn(
  transaction: TenantTransaction,
  source: { readonly id: string; readonly kind: string; readonly status: string },
): Promise<void> {
  const { actor } = transaction;
  if (actor.kind !== 'person') throw new Refusal('forbidden');
  if (source.kind !== 'website') throw new Refusal('shield_needs_website');
  if (source.status === 'disconnected') throw new Refusal('source_is_disconnected');
  const added = await transaction.query({
    text: `insert into shields (source_id, turned_on_by) values ($1, $2)
      on conflict (organization_id, source_id) do nothing returning source_id`,
    values: [source.id, actor.id],
  });
  if (added.length === 0) return;
  transaction.audit({ action: 'source.shield_turned_on', objectKind: 'source', objectId: source.id });
}

/** The reason of checks while Shield is off. */
const turnedOff = 'Shield was turned off.';

/**
 * What was counted is kept; which firewalls report on the source is forgotten, and its checks are not assessed from now on. False if Shield was not on. The source must be
 * locked.
 */
export async function turnShieldOff(transaction: TenantTransaction, sourceId: string): Promise<boolean> {
  const off = await transaction.query(
    db.deleteFrom('shields').where('source_id', '=', sourceId).returning('source_id'),
  );
  if (off.length === 0) return false;
  await transaction.query(db.deleteFrom('shield_source_firewalls').where('source_id', '=', sourceId));
  await transaction.query({
    text: `select record_outcomes(source_id, scan_id, now(), array_agg(check_id), array_agg('not_assessed'::text), array_agg($2::text))
      from check_assessments where source_id = $1 and ${isOf('shield', 'check_id')} group by source_id, scan_id`,
    values: [sourceId, turnedOff],
  });
  transaction.audit({ action: 'source.shield_turned_off', objectKind: 'source', objectId: sourceId });
  return true;
}
