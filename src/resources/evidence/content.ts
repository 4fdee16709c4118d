import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { storingLock } from '../../database/advisory-locks.ts';
import { StorageError } from '../../database/storage-error.ts';
import type { TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { decrypt, encrypt, newRecordKey, openRecordKey, type WrappedKey } from '../credentials/envelope.ts';
import type { KeyRing } from '../credentials/key-ring.ts';

/** Bytes of content per row. */
const pieceBytes = 256 * 1024;

/** Associated data of the wrapped key, so that it opens for no other organization or piece of evidence. */
export function evidenceContext(organizationId: string, evidenceId: string): string {
  return `parapet evidence|${organizationId}|${evidenceId}`;
}

/** Associated data of each piece, so that pieces cannot be moved or left out. */
function pieceContext(context: string, number: number, count: number): string {
  return `${context}|${number}/${count}`;
}

/** The encryption key for a new row of evidence and its pieces. */
export async function newContentKey(
  transaction: TenantTransaction,
  ring: KeyRing,
  context: string,
): Promise<ReturnType<typeof newRecordKey>> {
  // Kept until the transaction ends: a rotation waits for stores that use the previous key.
  await transaction.query({ text: `select pg_advisory_xact_lock_shared(${storingLock})` });
  return newRecordKey(context, await ring.current());
}

/** The SHA-256 of the content, computed in steps that do not block the event loop. */
export async function digestOf(content: Buffer): Promise<Buffer> {
  const hash = createHash('sha256');
  for (let from = 0; from < content.length; from += pieceBytes) {
    hash.update(content.subarray(from, from + pieceBytes));
    await nextTurn();
  }
  return hash.digest();
}

/** Encrypts and stores the content piece by piece. */
export async function storePieces(
  transaction: TenantTransaction,
  evidenceId: string,
  context: string,
  { key }: ReturnType<typeof newRecordKey>,
  content: Buffer,
): Promise<void> {
  const count = Math.ceil(content.length / pieceBytes);
  for (let number = 0; number < count; number += 1) {
    const piece = content.subarray(number * pieceBytes, (number + 1) * pieceBytes);
    await transaction.query({
      name: 'store-evidence-piece',
      text: 'insert into evidence_pieces (evidence_id, number, ciphertext) values ($1, $2, $3)',
      values: [evidenceId, number, encrypt(piece, pieceContext(context, number, count), key)],
    });
  }
}

/** Stored content was changed, or parts of it are missing. */
class DamagedEvidence extends Error {
  override readonly name = 'DamagedEvidence';
}

interface StoredContent {
  readonly organization_id: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly master_key_id: string;
  readonly wrapped_key: Buffer;
}

/**
 * The content in pieces; undefined if there is no such evidence. Throws if its master key is missing. Content that
 * differs from what was stored throws `DamagedEvidence`, at the latest before the last piece.
 */
export async function openContent(
  store: Pick<TenantStore, 'queryOnce'>,
  ring: KeyRing,
  id: string,
): Promise<AsyncGenerator<Buffer> | undefined> {
  // A rotation may finish between reading the row and the ring: then the row names another key.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const [row] = await store.queryOnce<StoredContent>({
      text: `select organization_id, bytes, encode(sha256, 'hex') as sha256, master_key_id, wrapped_key
        from evidence where id = $1`,
      values: [id],
    });
    if (!row) return undefined;
    const master = await ring.find(row.master_key_id);
    if (!master) continue;
    const context = evidenceContext(row.organization_id, id);
    const wrapped: WrappedKey = { masterKeyId: row.master_key_id, wrappedKey: row.wrapped_key };
    const intact = <T>(work: () => T) => {
      try {
        return work();
      } catch (cause) {
        throw new DamagedEvidence(`evidence ${id} differs from what was stored`, { cause });
      }
    };
    const key = intact(() => openRecordKey(wrapped, context, master));
    const open = (sealed: Buffer, number: number, count: number) =>
      intact(() => decrypt(sealed, pieceContext(context, number, count), key));
    return readPieces(store, id, row, open);
  }
  throw new Error(`evidence ${id} is wrapped by a missing master key`);
}

async function* readPieces(
  store: Pick<TenantStore, 'queryOnce'>,
  id: string,
  { bytes, sha256 }: StoredContent,
  open: (sealed: Buffer, number: number, count: number) => Buffer,
): AsyncGenerator<Buffer> {
  const count = Math.ceil(bytes / pieceBytes);
  const hash = createHash('sha256');
  for (let number = 0; number < count; number += 1) {
    const [row] = await store.queryOnce<{ ciphertext: Buffer }>({
      name: 'read-evidence-piece',
      text: 'select ciphertext from evidence_pieces where evidence_id = $1 and number = $2',
      values: [id, number],
    });
    if (!row) throw new DamagedEvidence(`evidence ${id} lacks piece ${number} of ${count}`);
    const piece = open(row.ciphertext, number, count);
    hash.update(piece);
    if (number === count - 1 && hash.digest('hex') !== sha256) {
      throw new DamagedEvidence(`evidence ${id} differs from what was stored`);
    }
    yield piece;
  }
}

/** For exports: see `EvidenceReader`. */
export function evidenceReader(ring: KeyRing) {
  return {
    async isLost(masterKeyId: string): Promise<boolean> {
      if (await ring.find(masterKeyId)) return false;
      if (ring.lost.includes(masterKeyId)) return true;
      throw new StorageError(
        `Evidence is encrypted under master key ${masterKeyId}, which is missing. ${ring.remedy}`,
      );
    },
    async isDamaged(snapshot: Pick<TenantStore, 'queryOnce'>, id: string): Promise<boolean> {
      try {
        const pieces = await openContent(snapshot, ring, id);
        while (pieces && !(await pieces.next()).done) {}
        return false;
      } catch (error) {
        if (error instanceof DamagedEvidence) return true;
        throw error;
      }
    },
    open: (snapshot: Pick<TenantStore, 'queryOnce'>, id: string) => openContent(snapshot, ring, id),
  };
}
