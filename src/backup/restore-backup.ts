import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type BrokenHead, brokenAuditChains } from '../database/audit-chain.ts';
import { queryConfig } from '../database/connection.ts';
import type { Filling } from '../database/migrate.ts';
import { applyMissing, hasInstallation, readMigrations } from '../database/migrations.ts';
import type { Roles } from '../database/roles.ts';
import { StorageError } from '../database/storage-error.ts';
import type { ArchiveEntries } from './archive-entries.ts';
import type { ArchivePart } from './archive-writer.ts';
import { type BackedUpTable, columnList, tablesToBackUp } from './contents.ts';
import { boundedLines } from './copy-lines.ts';
import { exportedTables } from './exported-tables.ts';
import {
  type Header,
  headerName,
  longestHeader,
  longestManifest,
  type Manifest,
  manifestName,
  masterKeyName,
  notABackup,
  partPrefix,
  readHeader,
  readManifest,
} from './manifest.ts';
import { sendUnfinished } from './send-unfinished.ts';

export interface RestoredBackup {
  readonly header: Header;
  readonly manifest: Manifest;
  readonly rows: number;
}

/** Called with the master key of the backup before any row is restored. The restore ends if it rejects. */
export type TakeKey = (key: string) => Promise<void>;

/** A key in base64 has 44 bytes. */
const longestKey = 1024;

/** A restore in the transaction of `migrate`: without its end, nothing of it remains. */
export class Restore implements Filling {
  readonly #entries: ArchiveEntries;
  readonly #takeKey: TakeKey;
  readonly #rows = new Map<string, number>();
  #header: Header | undefined;
  #manifest: Manifest | undefined;

  constructor(entries: ArchiveEntries, takeKey: TakeKey = async () => {}) {
    this.#entries = entries;
    this.#takeKey = takeKey;
  }

  /** Defined after the migration. */
  get restored(): RestoredBackup {
    const rows = [...this.#rows.values()].reduce((sum, count) => sum + count, 0);
    return { header: this.#header!, manifest: this.#manifest!, rows };
  }

  async before(owner: pg.ClientBase, roles: Roles): Promise<void> {
    await assertEmpty(owner);
    const header = readHeader(await this.#entries.text(headerName, longestHeader));
    this.#header = header;
    await assertKnown(header);
    await applyMissing(owner, roles, header.migration.version);
    const { tables } = header;
    await assertTables(owner, tables);
    if (this.#entries.name === masterKeyName) {
      await this.#takeKey(await this.#entries.text(masterKeyName, longestKey));
    }
    await createPartitions(owner, header);
    await withoutProtection(owner, tables, async () => {
      for (const [index, table] of tables.entries())
        this.#rows.set(table.name, await this.#load(owner, table, index));
      this.#manifest = await this.#readManifest();
      await setSequences(owner, this.#manifest, tables);
      // Here, where row-level security hides no entry from the owner.
      await assertAuditLogs(owner, this.#manifest);
    });
  }

  async after(owner: pg.ClientBase): Promise<void> {
    await sendUnfinished(owner);
  }

  /** Throws `StorageError` if the parts before it or their rows are others than it names. */
  async #readManifest(): Promise<Manifest> {
    const parts = this.#entries.parts.slice();
    const manifest = readManifest(await this.#entries.text(manifestName, longestManifest));
    if (this.#entries.name !== undefined) throw notABackup(this.#entries.name);
    assertSame(manifest, parts, this.#rows);
    return manifest;
  }

  async #load(owner: pg.ClientBase, table: BackedUpTable, index: number): Promise<number> {
    const prefix = partPrefix(index, table);
    if (!this.#entries.name?.startsWith(prefix)) return 0;
    const copy = (owner as pg.Client).query(
      copyFrom(`copy ${pg.escapeIdentifier(table.name)} (${columnList(table)}) from stdin`),
    );
    try {
      const lines = (text: AsyncIterable<Buffer>) => boundedLines(text, table.name);
      await pipeline(this.#entries.stream(prefix), createGunzip(), lines, copy);
    } catch (error) {
      if ((error as { code?: string }).code?.startsWith('Z_')) throw notABackup(table.name);
      throw error;
    }
    return copy.rowCount;
  }
}

async function assertEmpty(owner: pg.ClientBase): Promise<void> {
  if (await hasInstallation(owner)) {
    throw new StorageError('There is an installation already: restore into an empty data folder or database');
  }
}

/** A newer release may have other tables, and another migration of the same number would make others. */
async function assertKnown({ migration, release }: Header): Promise<void> {
  const known = (await readMigrations()).find(({ version }) => version === migration.version);
  if (known?.name !== migration.name) {
    throw new StorageError(
      `The backup is of Parapet ${release}, which is newer: restore it with that release or a later one`,
    );
  }
}

/** Whatever a release leaves out of its backups, it is no record of an organization. An export has pieces of evidence as files. */
const neverLeftOut = new Set(['organizations', 'people', 'evidence_pieces', ...Object.keys(exportedTables)]);

/**
 * Its tables must be ones of its migration, each once and with all columns: which of them a backup has, the release decided that made it.
 * Throws `StorageError`.
 */
async function assertTables(owner: pg.ClientBase, tables: readonly BackedUpTable[]): Promise<void> {
  const known = new Map((await tablesToBackUp(owner, true)).map(table => [table.name, table]));
  const given = new Set(tables.map(({ name }) => name));
  const areKnown = tables.every(({ name, columns }) => isDeepStrictEqual(known.get(name)?.columns, columns));
  const isComplete = [...known.keys()].every(name => given.has(name) || !neverLeftOut.has(name));
  if (given.size !== tables.length || !areKnown || !isComplete) throw notABackup('its tables');
}

async function createPartitions(owner: pg.ClientBase, { partitions }: Header): Promise<void> {
  for (const { retention, day } of partitions) {
    await owner.query(
      `select create_event_partitions($1::smallint, to_timestamp($2 || ' 00:00 +00', 'YYYYMMDD HH24:MI TZH'), 0)`,
      [retention, day],
    );
  }
}

/**
 * Does the work while nothing in the database reacts to rows: they are as they were, and so is what was derived from them. It ends with
 * the transaction if that fails.
 */
async function withoutProtection(
  owner: pg.ClientBase,
  tables: readonly BackedUpTable[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows: forced } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity
      and not relispartition`,
  );
  for (const { name } of tables) {
    await owner.query(`alter table ${pg.escapeIdentifier(name)} disable trigger user`);
  }
  for (const { name } of forced) {
    await owner.query(`alter table ${pg.escapeIdentifier(name)} no force row level security`);
  }
  await work();
  for (const { name } of tables) {
    await owner.query(`alter table ${pg.escapeIdentifier(name)} enable trigger user`);
  }
  for (const { name } of forced) {
    await owner.query(`alter table ${pg.escapeIdentifier(name)} force row level security`);
  }
}

function assertSame(
  manifest: Manifest,
  parts: readonly ArchivePart[],
  rows: ReadonlyMap<string, number>,
): void {
  const damaged = parts.find((part, index) => {
    const given = manifest.parts[index];
    return given?.name !== part.name || given.bytes !== part.bytes || given.sha256 !== part.sha256;
  });
  if (damaged) throw notABackup(damaged.name);
  if (parts.length !== manifest.parts.length) throw notABackup(manifest.parts[parts.length]!.name);
  for (const [table, count] of rows) {
    if (manifest.rows[table] !== count) {
      throw new StorageError(`The backup names ${manifest.rows[table]} rows of ${table}, but has ${count}`);
    }
  }
}

async function setSequences(
  owner: pg.ClientBase,
  { sequences }: Manifest,
  tables: readonly BackedUpTable[],
): Promise<void> {
  for (const { table, column, value } of sequences) {
    if (!tables.find(({ name }) => name === table)?.columns.includes(column)) throw notABackup(table);
    if (value > 0) {
      await owner.query('select setval(pg_get_serial_sequence(quote_ident($1), $2), $3)', [
        table,
        column,
        value,
      ]);
    }
  }
}

async function assertAuditLogs(owner: pg.ClientBase, { audit_heads: heads }: Manifest): Promise<void> {
  const { rows: broken } = await owner.query<BrokenHead>(queryConfig(brokenAuditChains));
  if (broken[0]) {
    const { organization_id, sequence, problem } = broken[0];
    throw new StorageError(
      `The audit log of organization ${organization_id} is not valid at entry ${sequence} (${problem}): it was altered before the backup, or the backup was`,
    );
  }
  const { rows } = await owner.query<{ same: boolean }>(
    `select count(*) = $2 and count(*) = (select count(*) from audit_heads where sequence > 0) as same
      from audit_heads h join jsonb_to_recordset($1) as g (organization_id uuid, sequence bigint, hash text)
        on g.organization_id = h.organization_id and g.sequence = h.sequence and g.hash = encode(h.hash, 'hex')`,
    [JSON.stringify(heads), heads.length],
  );
  if (!rows[0]!.same) throw new StorageError('The audit heads of the backup are not those of its audit logs');
}
