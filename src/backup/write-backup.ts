import type { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { AuditHead } from '../database/audit-heads.ts';
import { connectOwner } from '../database/connect-owner.ts';
import type { ConnectionSettings } from '../database/connection.ts';
import { hasInstallation } from '../database/migrations.ts';
import { StorageError } from '../database/storage-error.ts';
import { beginOwner, oneSnapshot } from '../database/with-owner.ts';
import { version } from '../domain/version.ts';
import { ArchiveWriter } from './archive-writer.ts';
import {
  assertReadable,
  type BackedUpTable,
  columnList,
  partitionsOf,
  sequencesOf,
  tablesToBackUp,
} from './contents.ts';
import {
  format,
  type Header,
  headerName,
  type Manifest,
  manifestName,
  masterKeyName,
  partPrefix,
} from './manifest.ts';

/** Compressed bytes of a part: what is kept in memory, since an archive has the size of each part before it. */
const partBytes = 4 * 1024 * 1024;

interface WrittenBackup {
  readonly header: Header;
  readonly rows: number;
}

/** A backup that is being written: its bytes, and the result once they have been read. */
export interface BackupStream {
  readonly stream: Readable;
  readonly done: Promise<WrittenBackup>;
}

interface BackupOptions {
  /** Of the data folder. */
  readonly masterKey?: Buffer | undefined;
  /** See `tablesToBackUp`. */
  readonly complete?: boolean;
}

/**
 * Backs up the database in one snapshot, while it is used. Rows are in the text format of COPY, in the order in which they can be restored.
 * Memory does not depend on their number.
 *
 * @param connection of the owner
 */
export function writeBackup(connection: ConnectionSettings, options: BackupOptions = {}): BackupStream {
  const archive = new ArchiveWriter();
  const done = write(connection, archive, options);
  done.catch(error => archive.fail(error as Error));
  return { stream: archive.stream(), done };
}

async function write(
  connection: ConnectionSettings,
  archive: ArchiveWriter,
  { masterKey, complete = false }: BackupOptions,
): Promise<WrittenBackup> {
  const owner = await connectOwner(connection, 'parapet-backup');
  try {
    await beginOwner(owner, oneSnapshot);
    const header = await describe(owner, complete);
    const add = (name: string, content: Buffer) => archive.add(name, content.length, [content]);
    await add(headerName, Buffer.from(JSON.stringify(header, null, 1)));
    if (masterKey) await add(masterKeyName, masterKey);
    const rows: Record<string, number> = {};
    for (const [index, table] of header.tables.entries()) {
      rows[table.name] = await dump(owner, table, archive, partPrefix(index, table));
    }
    const manifest: Manifest = {
      parts: archive.parts.slice(),
      rows,
      sequences: await sequencesOf(owner),
      audit_heads: await auditHeads(owner),
    };
    await owner.query('commit');
    archive.finish(manifestName, manifest);
    return { header, rows: Object.values(rows).reduce((sum, count) => sum + count, 0) };
  } finally {
    await owner.end();
  }
}

async function describe(owner: pg.Client, complete: boolean): Promise<Header> {
  if (!(await hasInstallation(owner))) throw new StorageError('The database has no Parapet installation');
  await assertReadable(owner);
  const { rows } = await owner.query<{ version: number; name: string; postgres: string; now: string }>(
    `select version, name, current_setting('server_version') as postgres, now()::text as now
      from schema_migrations order by version desc limit 1`,
  );
  const { postgres, now, ...migration } = rows[0]!;
  return {
    format,
    release: version,
    postgres: postgres.split(' ')[0]!,
    migration,
    created_at: new Date(now).toISOString(),
    tables: await tablesToBackUp(owner, complete),
    partitions: await partitionsOf(owner),
  };
}

/** Adds the rows of a table as one stream of gzip, divided into parts. Returns their number. */
async function dump(
  owner: pg.Client,
  table: BackedUpTable,
  archive: ArchiveWriter,
  prefix: string,
): Promise<number> {
  const copy = owner.query(
    copyTo(`copy (select ${columnList(table)} from ${pg.escapeIdentifier(table.name)}) to stdout`),
  );
  const gzip = createGzip();
  copy.once('error', error => gzip.destroy(error));
  copy.pipe(gzip);
  let waiting: Buffer[] = [];
  let bytes = 0;
  let part = 0;
  const flush = async () => {
    part += 1;
    await archive.add(`${prefix}${String(part).padStart(5, '0')}`, bytes, waiting);
    [waiting, bytes] = [[], 0];
  };
  for await (const chunk of gzip as AsyncIterable<Buffer>) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes >= partBytes) await flush();
  }
  if (bytes > 0) await flush();
  return copy.rowCount;
}

async function auditHeads(owner: pg.Client): Promise<AuditHead[]> {
  const { rows } = await owner.query<AuditHead>(
    `select organization_id, sequence, encode(hash, 'hex') as hash from audit_heads
      where sequence > 0 order by organization_id`,
  );
  return rows;
}
