import { randomUUID } from 'node:crypto';
import type {
  Evidence,
  EvidenceKind,
  EvidenceList,
  ListEvidenceQuery,
} from '../../contract/dashboard/evidence.ts';
import { evidenceLimits } from '../../contract/dashboard/evidence-limits.ts';
import { when } from '../../database/expressions.ts';
import { organizationLock } from '../../database/organization-lock.ts';
import { idsOf, newest, pageOf, readPage } from '../../database/page.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession, TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { KeyRing } from '../credentials/key-ring.ts';
import { nameOfPerson } from '../people/person-name.ts';
import { digestOf, evidenceContext, newContentKey, storePieces } from './content.ts';

export const evidenceColumns = `id, kind, name, media_type, bytes, encode(sha256, 'hex') as sha256, scan_id, created_at, retained_until,
  ${nameOfPerson('m.person_id = created_by')} as created_by`;

interface NewEvidence {
  readonly kind: EvidenceKind;
  readonly name: string;
  readonly mediaType: string;
  readonly content: Buffer;
  /** For a snapshot of a scan. */
  readonly scanId?: string;
}

/** Encrypts and stores it for at least six years. Throws `evidence_full`. */
export async function storeEvidence(
  transaction: TenantTransaction,
  ring: KeyRing,
  { kind, name, mediaType, content, scanId }: NewEvidence,
): Promise<Evidence> {
  // Before taking the lock, which others wait for.
  const sha256 = await digestOf(content);
  const [bound] = await transaction.query<{ id: string }>({ text: 'select id from organizations' });
  await assertRoom(transaction, bound!.id, content.length);
  const id = randomUUID();
  const context = evidenceContext(bound!.id, id);
  const contentKey = await newContentKey(transaction, ring, context);
  const rows = await transaction.query<Evidence>({
    text: `insert into evidence (id, kind, name, media_type, bytes, sha256, scan_id, created_by, master_key_id,
        wrapped_key)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${evidenceColumns}`,
    values: [
      id,
      kind,
      name,
      mediaType,
      content.length,
      sha256,
      scanId ?? null,
      transaction.actor.id,
      contentKey.masterKeyId,
      contentKey.wrappedKey,
    ],
  });
  await storePieces(transaction, id, context, contentKey, content);
  transaction.audit({
    action: kind === 'file' ? 'evidence.uploaded' : 'evidence.snapshot_taken',
    objectKind: 'evidence',
    objectId: id,
    detail: { kind, name, bytes: content.length, sha256: sha256.toString('hex') },
  });
  return rows[0]!;
}

/** Simultaneous stores of an organization are serialized, so that they respect the limits together. */
async function assertRoom(transaction: TenantTransaction, organizationId: string, bytes: number) {
  await transaction.query(organizationLock('evidence', organizationId));
  const usage = await evidenceUsage(transaction);
  if (usage.items >= usage.items_limit || usage.bytes + bytes > usage.bytes_limit) {
    throw new Refusal('evidence_full');
  }
}

/**
 * Bytes that can be stored at the moment; throws `evidence_full` if there are none. Check it before creating content
 * that could not be stored.
 */
export async function roomForEvidence(session: TenantSession): Promise<number> {
  const usage = await evidenceUsage(session);
  const room = usage.bytes_limit - usage.bytes;
  if (usage.items >= usage.items_limit || room <= 0) throw new Refusal('evidence_full');
  return room;
}

async function evidenceUsage(session: TenantSession): Promise<EvidenceList['usage']> {
  const rows = await session.query<{ bytes: number; items: number }>({
    text: 'select coalesce(sum(bytes), 0)::bigint as bytes, count(*) as items from evidence',
  });
  const { bytes, items } = rows[0]!;
  return { bytes, bytes_limit: evidenceLimits.bytes, items, items_limit: evidenceLimits.items };
}

/** Newest first. */
export async function listEvidence(store: TenantStore, query: ListEvidenceQuery): Promise<EvidenceList> {
  const list = { organization: store.organizationId, name: 'evidence', order: newest };
  const matching = db
    .selectFrom('evidence')
    .select(['id', 'created_at'])
    .where(({ and, eb }) => and(when(query.kind, kind => eb('kind', '=', kind))));
  return store.read(async session => {
    const [{ rows, next_cursor }, usage] = await Promise.all([
      readPage(list, query, page => session.query(pageOf(matching, newest, page))),
      evidenceUsage(session),
    ]);
    return { evidence: await findEvidenceRows(session, idsOf(rows)), next_cursor, usage };
  });
}

/** Newest first. */
function findEvidenceRows(session: TenantSession, ids: readonly string[]): Promise<Evidence[]> {
  return session.query<Evidence>({
    text: `select ${evidenceColumns} from evidence where id = any($1) order by created_at desc, id desc`,
    values: [ids],
  });
}

/** Undefined if the organization has none with this id. */
export async function findEvidence(session: TenantSession, id: string): Promise<Evidence | undefined> {
  return (await findEvidenceRows(session, [id]))[0];
}

/**
 * False if there is none. Throws `evidence_retained` before its retention ends, which the database enforces as well.
 */
export async function deleteEvidence(transaction: TenantTransaction, id: string): Promise<boolean> {
  const rows = await transaction.query<{ name: string; sha256: string; retained: boolean }>({
    text: `select name, encode(sha256, 'hex') as sha256, retained_until > now() as retained from evidence
      where id = $1 for update`,
    values: [id],
  });
  const evidence = rows[0];
  if (!evidence) return false;
  if (evidence.retained) throw new Refusal('evidence_retained');
  await transaction.query(db.deleteFrom('evidence').where('id', '=', id));
  transaction.audit({
    action: 'evidence.deleted',
    objectKind: 'evidence',
    objectId: id,
    detail: { name: evidence.name, sha256: evidence.sha256 },
  });
  return true;
}
