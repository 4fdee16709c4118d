import type { Readable } from 'node:stream';
import pg from 'pg';
import { type Query, queryConfig } from '../database/connection.ts';
import { StorageError } from '../database/storage-error.ts';
import type { TenantStore } from '../database/tenant-store.ts';
import { oneSnapshot, ownerTransaction } from '../database/with-owner.ts';
import { version } from '../domain/version.ts';
import { type ArchivePart, ArchiveWriter } from './archive-writer.ts';
import { copyJson, type JsonSize, jsonSize } from './copy-json.ts';
import { exportedTables } from './exported-tables.ts';

/** Decrypts evidence. */
export interface EvidenceReader {
  /** Whether the master key was declared lost. Throws `StorageError` if it is missing otherwise. */
  isLost(masterKeyId: string): Promise<boolean>;
  /** Whether the content differs from what was stored. Reads all of it. */
  isDamaged(snapshot: Pick<TenantStore, 'queryOnce'>, id: string): Promise<boolean>;
  /** The content in pieces. */
  open(snapshot: Pick<TenantStore, 'queryOnce'>, id: string): Promise<AsyncIterable<Buffer> | undefined>;
}

export const exportFormat = 'parapet organization export 1';

/** Last in the archive: what must be in it. */
export interface ExportManifest {
  readonly format: typeof exportFormat;
  /** Release of Parapet. */
  readonly release: string;
  readonly organization: {
    readonly id: string;
    readonly name: string;
    readonly created_at: string;
    /** When it was closed. */
    readonly deleted_at: string | null;
    readonly event_retention_days: number;
    readonly scan_retention_days: number | null;
    readonly scan_retention_applies_at: string;
    readonly due_days_critical: number | null;
    readonly due_days_high: number | null;
    readonly due_days_medium: number | null;
    readonly due_days_low: number | null;
  };
  /** When the snapshot was taken, in ISO 8601. */
  readonly exported_at: string;
  readonly tables: readonly (ArchivePart & { readonly rows: number })[];
  /** Decrypted, by the ids of their rows. */
  readonly evidence: readonly ArchivePart[];
  /** Ids of evidence whose master key was declared lost. */
  readonly unreadable_evidence: readonly string[];
  /** Ids of evidence whose content was changed in the database, or is missing there in part. */
  readonly damaged_evidence: readonly string[];
  /** The last entry of the audit log. */
  readonly audit_head: { readonly sequence: number; readonly hash: string };
}

/** An export that is being written: its bytes, and the result once they have been read. */
interface ExportStream {
  readonly stream: Readable;
  readonly done: Promise<ExportManifest>;
}

/**
 * Exports the rows and the evidence of an organization as a `tar.gz` in one snapshot, while it is used. Memory depends on neither their
 * number nor their size. Has no secrets: see `exportedTables`.
 *
 * @param owner a connection, used for nothing else until `done`
 */
export function exportOrganization(owner: pg.ClientBase, reader: EvidenceReader, id: string): ExportStream {
  const archive = new ArchiveWriter();
  const write = async () => {
    await settleAuditLog(owner, id);
    const manifest = await ownerTransaction(
      owner,
      id,
      () => writeParts(owner, reader, id, archive),
      oneSnapshot,
    );
    archive.finish('manifest.json', manifest);
    return manifest;
  };
  const done = write();
  done.catch(error => archive.fail(error as Error));
  return { stream: archive.compressed(), done };
}

/** Throws `StorageError` if a master key is missing that evidence of the organization needs, and that was not declared lost. */
export async function assertEvidenceReadable(
  owner: pg.ClientBase,
  reader: EvidenceReader,
  id: string,
): Promise<void> {
  const { rows } = await owner.query<{ id: string }>(
    'select distinct master_key_id as id from evidence where organization_id = $1',
    [id],
  );
  for (const row of rows) await reader.isLost(row.id);
}

/** Appends pending entries, as far as others do not append at the same time: the export has the rest as such. */
async function settleAuditLog(owner: pg.ClientBase, id: string): Promise<void> {
  let more = true;
  while (more) {
    more = await ownerTransaction(owner, id, async () => {
      const { rows } = await owner.query<{ more: boolean }>('select settle_audit_log() as more');
      return rows[0]!.more;
    });
  }
}

async function writeParts(
  owner: pg.ClientBase,
  reader: EvidenceReader,
  id: string,
  archive: ArchiveWriter,
): Promise<ExportManifest> {
  const described = await describe(owner, id);
  const tables: { name: string; rows: number }[] = [];
  const add = async (name: string, query: string) => {
    const { rows, bytes }: JsonSize = await jsonSize(owner, query);
    await archive.add(name, bytes, copyJson(owner, query));
    tables.push({ name, rows });
  };
  await add('tables/people.jsonl', peopleOf(id));
  for (const [table, { columns }] of Object.entries(exportedTables)) {
    await add(`tables/${table}.jsonl`, rowsOf(table, columns, id));
  }
  const missing = await writeEvidence(owner, reader, id, archive);
  const parts = new Map(archive.parts.map(part => [part.name, part]));
  const { exported_at, audit_head, ...organization } = described;
  return {
    format: exportFormat,
    release: version,
    organization,
    exported_at,
    audit_head,
    tables: tables.map(({ name, rows }) => ({ ...parts.get(name)!, rows })),
    evidence: archive.parts.slice(tables.length),
    unreadable_evidence: missing.unreadable,
    damaged_evidence: missing.damaged,
  };
}

async function describe(owner: pg.ClientBase, id: string) {
  const { rows } = await owner.query<
    ExportManifest['organization'] & {
      exported_at: string;
      erasing: boolean;
      sequence: number | null;
      hash: string | null;
    }
  >(
    `select o.id, o.name, o.created_at, deleted_at, event_retention_days, scan_retention_days, scan_retention_applies_at,
      due_days_critical, due_days_high, due_days_medium, due_days_low, now() as exported_at, erasing_since is not null as erasing, h.sequence, encode(h.hash, 'hex') as hash
      from organizations o left join audit_heads h on h.organization_id = o.id where o.id = $1`,
    [id],
  );
  if (!rows[0] || rows[0].erasing) throw new StorageError('The rows of the organization are being deleted');
  const { sequence, hash, erasing, ...organization } = rows[0];
  return { ...organization, audit_head: { sequence: sequence ?? 0, hash: hash ?? '' } };
}

function rowsOf(table: string, columns: readonly string[], id: string): string {
  const list = columns.map(column => pg.escapeIdentifier(column)).join(', ');
  // What an entry's hash covers after the hash before it, so that no PostgreSQL is needed to verify the log.
  const hashed = `, audit_text(organization_id, sequence, occurred_at, actor_kind, actor_id, action, object_kind, object_id, detail,
    address) as hashed`;
  const log = table === 'audit_entries';
  return `select ${list}${log ? hashed : ''} from ${pg.escapeIdentifier(table)}
    where organization_id = ${pg.escapeLiteral(id)}${log ? ' order by sequence' : ''}`;
}

/**
 * Everyone who belongs or belonged to the organization, as its records call them. Those who had left it before have no address: it may be
 * another one by now.
 */
function peopleOf(id: string): string {
  return `select p.id, coalesce(m.former_name, p.name) as name,
      case when m.left_at is null or m.left_at = o.deleted_at then p.email end as email
    from memberships m join people p on p.id = m.person_id join organizations o on o.id = m.organization_id
    where m.organization_id = ${pg.escapeLiteral(id)}`;
}

/** Adds the content of evidence as files. Returns the ids of what is encrypted under a lost master key, and of what is damaged. */
async function writeEvidence(
  owner: pg.ClientBase,
  reader: EvidenceReader,
  id: string,
  archive: ArchiveWriter,
): Promise<{ readonly unreadable: string[]; readonly damaged: string[] }> {
  const { rows } = await owner.query<{ id: string; bytes: number; key: string }>(
    'select id, bytes, master_key_id as key from evidence where organization_id = $1 order by created_at, id',
    [id],
  );
  const missing = { unreadable: [] as string[], damaged: [] as string[] };
  const snapshot = {
    queryOnce: async <Row extends object>(query: Query<Row>) =>
      (await owner.query(queryConfig(query))).rows as Row[],
  };
  for (const evidence of rows) {
    if (await reader.isLost(evidence.key)) missing.unreadable.push(evidence.id);
    // Before its name and size are in the archive, which cannot take them back.
    else if (await reader.isDamaged(snapshot, evidence.id)) missing.damaged.push(evidence.id);
    else {
      const content = await reader.open(snapshot, evidence.id);
      await archive.add(`evidence/${evidence.id}`, evidence.bytes, content!);
    }
  }
  return missing;
}
