import { isUuid } from '../contract/uuid.ts';
import type { TenantSession } from './tenant-store.ts';

/** The last entry of an organization's audit chain, for operators to keep outside the database. */
export interface AuditHead {
  readonly organization_id: string;
  readonly sequence: number;
  /** SHA-256 of the entry and all entries before it, in hexadecimal. */
  readonly hash: string;
}

export interface BrokenAnchor extends AuditHead {
  readonly problem: 'missing' | 'rewritten';
}

const batchLength = 1_000;

/** All heads, ordered by organization, in batches. */
export async function* readAuditHeads(session: TenantSession): AsyncGenerator<AuditHead[]> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await session.query<AuditHead>({
      text: `select organization_id, sequence, encode(hash, 'hex') as hash from audit_heads
        where organization_id > $1 and sequence > 0 order by organization_id limit $2`,
      values: [after, batchLength],
    });
    if (rows.length > 0) yield rows;
    if (rows.length < batchLength) return;
    after = rows.at(-1)!.organization_id;
  }
}

/**
 * Former heads whose entry is missing or has another hash now. A hash covers all entries before it, so this
 * detects a chain that was rewritten with recomputed hashes, or truncated together with its head.
 */
export async function findBrokenAnchors(session: TenantSession, anchors: readonly AuditHead[]) {
  return session.query<BrokenAnchor>({
    text: `select a.organization_id, a.sequence, a.hash,
        case when e.hash is null then 'missing' else 'rewritten' end as problem
      from unnest($1::uuid[], $2::bigint[], $3::text[]) as a (organization_id, sequence, hash)
      left join audit_entries e on e.organization_id = a.organization_id and e.sequence = a.sequence
      where encode(e.hash, 'hex') is distinct from a.hash`,
    values: [
      anchors.map(anchor => anchor.organization_id),
      anchors.map(anchor => anchor.sequence),
      anchors.map(anchor => anchor.hash),
    ],
  });
}

/** The heads in one parsed log line of the service, or in the output of `parapet doctor --json`. */
export function headsIn(document: unknown): AuditHead[] {
  if (typeof document !== 'object' || document === null) return [];
  const { heads, audit_heads } = document as { heads?: unknown; audit_heads?: unknown };
  const list = Array.isArray(audit_heads) ? audit_heads : heads;
  return Array.isArray(list) ? list.filter(isHead) : [];
}

function isHead(value: unknown): value is AuditHead {
  const { organization_id, sequence, hash } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof organization_id === 'string' &&
    isUuid(organization_id) &&
    Number.isSafeInteger(sequence) &&
    /^[0-9a-f]{64}$/.test(String(hash))
  );
}
