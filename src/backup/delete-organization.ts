import pg from 'pg';
import { codeOf } from '../database/error-codes.ts';
import { jobSchema } from '../database/jobs/queues.ts';
import { StorageError } from '../database/storage-error.ts';
import { ownerTransaction } from '../database/with-owner.ts';
import { type OrganizationTable, organizationTables } from './organization-tables.ts';

/** Rows per transaction: tens of milliseconds. */
const usualRows = 2_000;
/** A piece of evidence has a quarter of a mebibyte. */
const inBatches: BatchLength = table => (table === 'evidence_pieces' ? 40 : usualRows);

type BatchLength = (table: string) => number;

/** Called after each transaction with the table, and the number of its rows that were deleted so far. */
export type OnProgress = (table: string, rows: number) => void;

/** Rows by table. */
export type DeletedRows = Readonly<Record<string, number>>;

/**
 * Deletes all rows of a closed organization, and the organization last, in transactions of bounded size that lock nothing of others. After
 * an interruption, another call continues.
 *
 * @param owner of the database: its triggers let no other role delete the audit log, evidence and records of controls
 */
export async function deleteOrganization(
  owner: pg.ClientBase,
  id: string,
  onProgress: OnProgress = () => {},
  batchLength = inBatches,
): Promise<DeletedRows> {
  await ownerTransaction(owner, id, () =>
    owner.query(
      'update organizations set erasing_since = now() where id = $1 and deleted_at is not null and erasing_since is null',
      [id],
    ),
  );
  const { rows: systems } = await owner.query<{ id: string }>(
    'select id from systems where organization_id = $1',
    [id],
  );
  const deleted = new Map<string, number>();
  const add = (table: string, rows: number) => {
    if (rows === 0) return;
    deleted.set(table, (deleted.get(table) ?? 0) + rows);
    onProgress(table, deleted.get(table)!);
  };
  // Requests that were admitted before it was closed may still add rows.
  let attempts = mostAttempts;
  while (attempts > 0) {
    const { found, failure } = await deleteRows(owner, id, add, batchLength);
    if (found) attempts = mostAttempts;
    else if (!failure) break;
    else if (--attempts === 0) throw failure;
  }
  const ids = systems.map(system => system.id);
  await finish(owner, id, ids, add);
  return Object.fromEntries(deleted);
}

/** Without a row that could be deleted, each waits for the transaction that has just added one. */
const mostAttempts = 20;

/** A request has added a row that refers to one of these, or dropped a partition of events. */
const concurrentChanges: readonly unknown[] = ['23503', '42P01'];

async function deleteRows(
  owner: pg.ClientBase,
  id: string,
  add: OnProgress,
  batchLength: BatchLength,
): Promise<{ found: boolean; failure?: unknown }> {
  let found = await deleteJobs(owner, id, add);
  let failure: unknown;
  for (const table of await organizationTables(owner)) {
    try {
      if (await deleteRowsOf(owner, id, table, add, batchLength(table.of))) found = true;
    } catch (error) {
      if (!concurrentChanges.includes(codeOf(error))) throw error;
      failure = error;
    }
  }
  return { found, failure };
}

async function deleteJobs(owner: pg.ClientBase, id: string, add: OnProgress): Promise<boolean> {
  let found = false;
  for (;;) {
    const { rowCount } = await owner.query(
      `delete from ${jobSchema}.job where (name, id) in (
        select name, id from ${jobSchema}.job where group_id = $1::text or data ->> 'organizationId' = $1::text limit $2)`,
      [id, usualRows],
    );
    if (!rowCount) return found;
    add('job', rowCount);
    found = true;
  }
}

/** In the order of the key, so that no batch reads what earlier ones have deleted. Returns whether there were any. */
async function deleteRowsOf(
  owner: pg.ClientBase,
  id: string,
  table: OrganizationTable,
  add: OnProgress,
  length: number,
): Promise<boolean> {
  let found = false;
  let last: string[] | null = null;
  do {
    const batch: Batch = await ownerTransaction(owner, id, async () => {
      await owner.query(byOrganization);
      return deleteBatch(owner, id, table, { length, last });
    });
    add(table.of, batch.rows);
    found ||= batch.rows > 0;
    last = batch.last;
  } while (last !== null);
  return found;
}

/** Whatever the statistics say, rows are found by the organization. */
const byOrganization = 'set local enable_seqscan = off';

interface Batch {
  /** Deleted ones. */
  readonly rows: number;
  /** The key of the last row, as text, if there may be more. */
  readonly last: string[] | null;
}

async function deleteBatch(
  owner: pg.ClientBase,
  id: string,
  { name, key }: OrganizationTable,
  { length, last }: { readonly length: number; readonly last: string[] | null },
): Promise<Batch> {
  const relation = pg.escapeIdentifier(name);
  const columns = key.map(({ column }) => pg.escapeIdentifier(column));
  const after =
    last && key.length > 0
      ? `and (${columns.join(', ')}) > (${key.map(({ type }, index) => `$${index + 3}::text::${type}`).join(', ')})`
      : '';
  const { rows } = await owner.query<Batch>(
    `with batch as materialized (
      select ${[...columns, 'ctid as batch_row'].join(', ')} from ${relation} where organization_id = $1 ${after}
        ${columns.length > 0 ? `order by ${columns.join(', ')}` : ''} limit $2
    ), gone as (
      delete from ${relation} where ctid = any(array(select batch_row from batch)) returning 1
    )
    select (select count(*)::int from gone) as rows,
      (select array[${columns.map(column => `${column}::text`).join(', ')}]::text[] from batch
        offset $2::int - 1 limit 1) as last`,
    [id, length, ...(last ?? [])],
  );
  return rows[0]!;
}

/**
 * Deletes the organization. Tables without a reference to it or its systems are written by the guard and the store of events alone: with
 * their locks, no statement is about to add a row to these, and later calls find neither a key nor a system.
 */
async function finish(
  owner: pg.ClientBase,
  id: string,
  systems: readonly string[],
  add: OnProgress,
): Promise<void> {
  const tables = await organizationTables(owner);
  const deleteRest = async () => {
    for (const { name, of } of tables) {
      const { rowCount } = await owner.query(
        `delete from ${pg.escapeIdentifier(name)} where organization_id = $1`,
        [id],
      );
      add(of, rowCount ?? 0);
    }
  };
  await ownerTransaction(owner, id, async () => {
    await owner.query(byOrganization);
    // Waits for transactions that refer to it, before locks for which requests of other organizations wait.
    const { rowCount } = await owner.query('select from organizations where id = $1 for update', [id]);
    if (rowCount === 0) throw new StorageError('Another command has deleted the organization meanwhile');
    await owner.query('select pg_advisory_xact_lock(1162170448)');
    await owner.query(
      `select pg_advisory_xact_lock(1162170447, lock) from (
        select distinct hashtext($1::text || system) as lock from unnest($2::text[]) as system order by 1) as locks`,
      [id, systems],
    );
    await deleteRest();
    // Last, and for what was added meanwhile: the guard admits requests of all organizations together.
    await owner.query('select pg_advisory_xact_lock(1346982465, hashtext($1::text))', [id]);
    await deleteRest();
    await owner.query('delete from organizations where id = $1', [id]);
    await owner.query('insert into organization_deletions (id) values ($1)', [id]);
  });
  await deleteJobs(owner, id, add);
}
