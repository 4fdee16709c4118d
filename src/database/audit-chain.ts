import type { AuditVerification } from '../contract/dashboard/audit.ts';
import type { AuditProblem } from '../contract/dashboard/audit-problems.ts';
import { type Statement, unhurried } from './connection.ts';
import type { TenantSession, TenantStore } from './tenant-store.ts';

/**
 * Entries with their problem, or null: a hash that does not match the content, a gap, or a wrong predecessor.
 * This statement computes the expected hash itself instead of using the function that wrote the entries.
 *
 * @param entries a relation with the columns of `audit_entries`
 */
const checked = (entries: string) => `
  select organization_id, sequence, case
      when hash <> sha256(previous_hash || convert_to((jsonb_build_array(organization_id, sequence,
        extract(epoch from occurred_at)::text, actor_kind, actor_id, action, object_kind, object_id, detail)
        || case when address is null then '[]'::jsonb else jsonb_build_array(address) end)::text, 'UTF8')) then 'entry_altered'
      when previous_hash <> coalesce(lag(hash) over chain, '\\x') or sequence <> coalesce(lag(sequence) over chain, 0) + 1
        then 'out_of_sequence'
    end as problem
  from ${entries} as entry window chain as (partition by organization_id order by sequence)`;

/**
 * Heads that are missing or do not name the last entry, and organizations without a log, though each log
 * starts with an entry.
 */
const brokenHeads = `
  select h.organization_id, h.sequence, 'head_mismatch' as problem
  from audit_heads h
  left join lateral (select sequence, hash from audit_entries e where e.organization_id = h.organization_id
    order by sequence desc limit 1) as last on true
  where coalesce(last.sequence, 0) <> h.sequence or coalesce(last.hash, '\\x') <> h.hash
  union all
  select organization_id, max(sequence), 'head_missing' from audit_entries e
  where not exists (select from audit_heads h where h.organization_id = e.organization_id) group by organization_id
  union all
  select id, 0, 'log_missing' from organizations o
  where not exists (select from audit_heads h where h.organization_id = o.id)
    and not exists (select from audit_entries e where e.organization_id = o.id)`;

interface Problem {
  readonly sequence: number;
  readonly problem: AuditProblem;
}

export interface BrokenHead extends Problem {
  readonly organization_id: string;
}

/** Breaks in the audit chains of all organizations, except those whose rows are being deleted. */
export const brokenAuditChains: Statement<BrokenHead> = {
  text: `select * from (
      select * from (${checked('audit_entries')}) as entries where problem is not null
      union all ${brokenHeads}) as broken
    where organization_id not in (select id from organizations where erasing_since is not null) order by 1, 2`,
  // Operators run this check, and a chain may be long.
  query_timeout: unhurried,
};

/** Entries per query: some tens of milliseconds of database CPU. */
const entriesAtOnce = 2_000;

/**
 * Recomputes the organization's whole chain in pieces, so that each piece returns its connection to the organization's
 * share. Meanwhile only entries at the end can be added. Throws the signal's reason when aborted.
 */
export async function verifyAuditChain(store: TenantStore, signal?: AbortSignal): Promise<AuditVerification> {
  await settleAuditLog(store);
  let last: number | null = null;
  for (;;) {
    const { verification, next } = await store.read(session => verifyPiece(session, last));
    if (verification) return verification;
    signal?.throwIfAborted();
    last = next;
  }
}

/** The last entry of a piece, the number of its entries, and its first problem. */
interface Piece {
  readonly next: number | null;
  readonly length: number;
  readonly sequence: number | null;
  readonly problem: AuditProblem | null;
}

/** @param after the last entry that was checked; null for the first piece */
async function verifyPiece(
  session: TenantSession,
  after: number | null,
): Promise<{ verification?: AuditVerification; next: number | null }> {
  await session.query({ text: 'set transaction isolation level repeatable read, read only' });
  const entries = `(select * from audit_entries where sequence >= coalesce($1, -9223372036854775808)
    order by sequence limit $2)`;
  const [piece] = await session.query<Piece>({
    text: `with piece as materialized (${checked(entries)})
      select next, length, sequence, problem from (select max(sequence) as next, count(*) as length from piece) as read
      left join lateral (select sequence, problem from piece
        where problem is not null and ($1::bigint is null or sequence > $1) order by sequence limit 1) as broken on true`,
    values: [after, entriesAtOnce],
  });
  const { next, length, sequence, problem } = piece!;
  if (problem) return { next, verification: await verificationOf(session, { sequence: sequence!, problem }) };
  if (length === entriesAtOnce) return { next };
  const [head] = await session.query<BrokenHead>({ text: `${brokenHeads} order by 2` });
  return { next, verification: await verificationOf(session, head) };
}

async function verificationOf(
  session: TenantSession,
  broken: Problem | undefined,
): Promise<AuditVerification> {
  const [head] = await session.query<Pick<AuditVerification, 'entries' | 'head' | 'verified_at'>>({
    text: `select coalesce(max(sequence), 0) as entries, now()::timestamptz(3) as verified_at,
        coalesce((select encode(hash, 'hex') from audit_heads), '') as head
      from audit_entries`,
  });
  return {
    ...head!,
    holds: broken === undefined,
    holds_until: broken ? await lastBefore(session, broken) : head!.entries,
    problem: broken?.problem ?? null,
  };
}

/** A head that does not name the last entry shows that later entries are missing. */
async function lastBefore(session: TenantSession, { sequence, problem }: Problem): Promise<number> {
  const rows = await session.query<{ last: number }>({
    text: `select coalesce(max(sequence), 0) as last from audit_entries where sequence < $1`,
    values: [problem === 'head_mismatch' || problem === 'head_missing' ? sequence + 1 : sequence],
  });
  return rows[0]!.last;
}

/** Appends the organization's pending entries, which readers of the log need: up to a hundred thousand, a thousand in each transaction. */
export async function settleAuditLog(store: TenantStore): Promise<void> {
  for (let batch = 0; batch < 100; batch += 1) {
    const [row] = await store.queryOnce<{ more: boolean | null }>({
      name: 'settle-audit-log',
      text: 'select settle_audit_log() as more',
    });
    if (!row!.more) return;
  }
}
