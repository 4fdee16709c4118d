import { Ajv } from 'ajv';
import { Type } from 'typebox';
import { eventRetentions } from '../contract/dashboard/retention-days.ts';
import type { AuditHead } from '../database/audit-heads.ts';
import { StorageError } from '../database/storage-error.ts';
import type { ArchivePart } from './archive-writer.ts';
import type { BackedUpTable, Partition, Sequence } from './contents.ts';

/** The form of the archive: see docs/backup.md. */
export const format = 1;

/** First in the archive: what is needed to begin a restore. */
export interface Header {
  readonly format: number;
  /** Release of Parapet. */
  readonly release: string;
  /** Version of PostgreSQL: `18.4`. */
  readonly postgres: string;
  /** The newest migration of the database. */
  readonly migration: { readonly version: number; readonly name: string };
  /** When the snapshot was taken, in ISO 8601. */
  readonly created_at: string;
  readonly tables: readonly BackedUpTable[];
  readonly partitions: readonly Partition[];
}

/** Last in the archive: what a restore must find. */
export interface Manifest {
  readonly parts: readonly ArchivePart[];
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly sequences: readonly Sequence[];
  readonly audit_heads: readonly AuditHead[];
}

export const headerName = 'backup.json';
export const manifestName = 'manifest.json';
/** Bytes, with all tables and partitions. */
export const longestHeader = 1024 * 1024;
/** Bytes, with the audit heads of 100,000 organizations, or the parts of terabytes. */
export const longestManifest = 64 * 1024 * 1024;
/** The master key of the data folder, if the backup has it. */
export const masterKeyName = 'files/master.key';

/** Each has two tables with indexes, which are locked until the restore ends. An installation has about ten for each of five retentions. */
const mostPartitions = 500;

const list = Type.Array;
const text = Type.String();
const count = Type.Integer({ minimum: 0 });

/** Members that this release does not know are of a later one, and ignored. */
const schemas = {
  [headerName]: Type.Object({
    format: Type.Literal(format),
    release: Type.String({ pattern: '^[0-9A-Za-z.+-]{1,50}$' }),
    migration: Type.Object({ version: Type.Integer(), name: text }),
    created_at: text,
    tables: list(Type.Object({ name: text, columns: list(text) })),
    partitions: list(
      Type.Object({
        retention: Type.Union(eventRetentions.map(days => Type.Literal(days))),
        day: Type.String({ pattern: '^[0-9]{8}$' }),
      }),
      {
        maxItems: mostPartitions,
      },
    ),
  }),
  [manifestName]: Type.Object({
    parts: list(Type.Object({ name: text, bytes: count, sha256: text })),
    rows: Type.Record(text, count),
    sequences: list(Type.Object({ table: text, column: text, value: count })),
    audit_heads: list(
      Type.Object({
        organization_id: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
        sequence: count,
        hash: text,
      }),
    ),
  }),
};

/** How the names of a table's parts begin; their numbers follow. */
export function partPrefix(index: number, { name }: BackedUpTable): string {
  return `tables/${String(index).padStart(3, '0')}-${name}.copy.gz.`;
}

/** Throws `StorageError` for a header that this program cannot read. */
export function readHeader(text: string): Header {
  const header = parsed<Partial<Header> | null>(text, headerName);
  if (header?.format !== undefined && header.format !== format) {
    throw new StorageError(
      `The backup has the form ${String(header.format).slice(0, 20)}, this program reads ${format}: restore it with Parapet ${String(header.release).slice(0, 20)}`,
    );
  }
  return described(headerName, header);
}

export function readManifest(text: string): Manifest {
  return described(manifestName, parsed(text, manifestName));
}

function parsed<T>(text: string, name: string): T {
  try {
    return JSON.parse(text);
  } catch {
    throw notABackup(name);
  }
}

function described<T>(name: keyof typeof schemas, value: unknown): T {
  if (!new Ajv().validate(schemas[name], value)) throw notABackup(name);
  return value as T;
}

export function notABackup(part: string): StorageError {
  return new StorageError(`This is not a backup of Parapet, or it is damaged (${part})`);
}
