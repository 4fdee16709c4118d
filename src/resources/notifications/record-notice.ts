import type { NoticeKind } from '../../contract/dashboard/notifications.ts';
import type { Severity } from '../../contract/severity.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';

/** What happened. Workers send it to its subscribers. */
export interface Notice {
  readonly kind: NoticeKind;
  /** The scan, source, probe, key or attestation that it is about. */
  readonly objectId?: string;
  /** Of new findings, the highest. */
  readonly severity?: Severity;
  /** A second notice with the same name is not stored. */
  readonly once?: string;
}

/** Stores a notice in the transaction of what it is about: there is one if and only if that happened. */
export async function recordNotice(transaction: TenantTransaction, notice: Notice): Promise<void> {
  const { kind, objectId = null, severity = null, once = null } = notice;
  await transaction.query({
    name: 'record-notice',
    text: `insert into notices (kind, object_id, severity, once) values ($1, $2, $3, $4)
      on conflict (organization_id, once) where once is not null do nothing`,
    values: [kind, objectId, severity, once],
  });
}
