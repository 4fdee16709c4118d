import type { AuditHead } from '../database/audit-heads.ts';
import { StorageError } from '../database/storage-error.ts';
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
  readonly parts: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly sequences: readonly Sequence[];
  readonly audit_heads: readonly AuditHead[];
}

export const headerName = 'backup.json';
export const manifestName = 'manifest.json';
/** Of the names of files that are not the database's. */
export const filePrefix = 'files/';

/** How the names of a table's parts begin; their numbers follow. */
export function partPrefix(index: number, { name }: BackedUpTable): string {
  return `tables/${String(index).padStart(3, '0')}-${name}.copy.gz.`;
}

/** Throws `StorageError` for a header that this program cannot read. */
export function readHeader(text: string): Header {
  const header = parsed<Header>(text, headerName);
  if (header.format !== format) {
    throw new StorageError(
      `The backup has the form ${String(header.format).slice(0, 20)}, this program reads ${format}: restore it with Parapet ${String(header.release).slice(0, 20)}`,
    );
  }
  const isComplete =
    Array.isArray(header.tables) &&
    header.tables.every(({ name, columns }) => typeof name === 'string' && Array.isArray(columns)) &&
    Array.isArray(header.partitions) &&
    header.partitions.every(({ retention, day }) => Number.isInteger(retention) && /^\d{8}$/.test(day)) &&
    typeof header.migration?.version === 'number';
  if (!isComplete) throw notABackup(headerName);
  return header;
}

export function readManifest(text: string): Manifest {
  const manifest = parsed<Manifest>(text, manifestName);
  const isComplete =
    Array.isArray(manifest.parts) &&
    Array.isArray(manifest.sequences) &&
    Array.isArray(manifest.audit_heads) &&
    typeof manifest.rows === 'object';
  if (!isComplete) throw notABackup(manifestName);
  return manifest;
}

function parsed<T extends object>(text: string, name: string): T {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as T;
  } catch {
    // Refused below.
  }
  throw notABackup(name);
}

export function notABackup(part: string): StorageError {
  return new StorageError(`This is not a backup of Parapet, or it is damaged (${part})`);
}
