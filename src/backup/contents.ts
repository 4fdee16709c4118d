import pg from 'pg';
import { tablesHiddenFromOwner } from '../database/let-owner-read.ts';
import { StorageError } from '../database/storage-error.ts';

/** A table as a backup contains it. */
export interface BackedUpTable {
  readonly name: string;
  /** Without those that PostgreSQL computes. */
  readonly columns: readonly string[];
}

/** The columns, for a statement. */
export function columnList({ columns }: BackedUpTable): string {
  return columns.map(column => pg.escapeIdentifier(column)).join(', ');
}

/** Part of the events, which are kept for a number of days each. */
export interface Partition {
  readonly retention: number;
  /** Its first day: `20261118`. */
  readonly day: string;
}

export interface Sequence {
  readonly table: string;
  readonly column: string;
  readonly value: number;
}

/** Tables with rows of this database alone: logins of its roles, and what a migration writes. */
const ofDatabase = ['schema_migrations', 'releases', 'role_logins'];

/**
 * Tables whose rows a backup leaves out too: where backups of this database are, what is only valid for minutes, and sign-ins and links,
 * which would be valid again although they were ended after the backup.
 */
const passing = [
  'backups',
  'request_nonces',
  'request_admissions',
  'spent_challenges',
  'pending_identities',
  'sessions',
  'one_time_links',
];

/**
 * The tables of this database that a backup contains, each after those that it refers to.
 *
 * @param complete for a copy that replaces this database at once: also what a backup leaves out
 */
export async function tablesToBackUp(owner: pg.ClientBase, complete = false): Promise<BackedUpTable[]> {
  const leftOut = new Set(complete ? ofDatabase : [...ofDatabase, ...passing]);
  const { rows } = await owner.query<{ name: string; columns: string[]; needs: string[] }>(
    `select relname as name,
      array(select attname::text from pg_attribute a where a.attrelid = c.oid and attnum > 0 and not attisdropped
        and attgenerated = '' order by attnum) as columns,
      array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
    from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relpersistence = 'p' order by relname`,
  );
  const found = rows.filter(({ name }) => !leftOut.has(name));
  const ordered: BackedUpTable[] = [];
  const add = (name: string) => {
    const table = found.find(each => each.name === name);
    if (!table || ordered.some(each => each.name === name)) return;
    table.needs.forEach(add);
    ordered.push({ name, columns: table.columns });
  };
  for (const { name } of found) add(name);
  return ordered;
}

/** Throws `StorageError` if row-level security would hide rows from the owner, as before the first migration of this release. */
export async function assertReadable(owner: pg.ClientBase): Promise<void> {
  const [hidden] = await tablesHiddenFromOwner(owner);
  if (hidden !== undefined) {
    throw new StorageError(
      `This role cannot read all rows of ${hidden}: back up with the role that owns the database, after parapet migrate`,
    );
  }
}

export async function partitionsOf(owner: pg.ClientBase): Promise<Partition[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relispartition
      and relname ~ '^event_counts_\\d+_\\d{8}$' order by relname`,
  );
  return rows.map(({ name }) => {
    const [retention, day] = name.split('_').slice(2) as [string, string];
    return { retention: Number(retention), day };
  });
}

/** The next values of identity columns. They can be higher than the rows of the backup need. */
export async function sequencesOf(owner: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await owner.query<{ table: string; column: string; value: string }>(
    `select c.relname as table, a.attname as column,
      coalesce(pg_sequence_last_value(pg_get_serial_sequence(quote_ident(c.relname), a.attname)::regclass), 0)::text as value
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where relnamespace = 'public'::regnamespace and not relispartition and attidentity <> '' order by 1, 2`,
  );
  return rows.map(({ table, column, value }) => ({ table, column, value: Number(value) }));
}
