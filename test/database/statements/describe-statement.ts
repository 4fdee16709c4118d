import type pg from 'pg';
import { optionalInViews } from '../../../maintenance/schema/words.ts';

/** A result column of a statement. */
export interface DescribedColumn {
  readonly name: string;
  /** Its name in `pg_type`: `timestamptz`, `_text`. */
  readonly type: string;
  /** `table.column` for an unchanged column. */
  readonly origin: string | undefined;
}

export interface Description {
  readonly parameters: readonly string[];
  readonly columns: readonly DescribedColumn[];
}

/** Types and tables of a database. */
export interface Catalog {
  readonly types: ReadonlyMap<number, string>;
  /** `table.column` by the numbers of both. */
  readonly columns: ReadonlyMap<string, string>;
  /** The type of each `table.column`. */
  readonly columnTypes: ReadonlyMap<string, string>;
  /** The columns of each table, and whether each may be null. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
}

export async function readCatalog(client: pg.ClientBase): Promise<Catalog> {
  const types = await client.query<{ oid: number; name: string }>('select oid, typname as name from pg_type');
  const { rows } = await client.query<{
    id: string;
    table: string;
    column: string;
    type: string;
    nullable: boolean;
  }>(
    `select attrelid || ' ' || attnum as id, relname as table, attname as column,
        case when relkind = 'v' and relnamespace = 'public'::regnamespace then relname || '.' || attname = any($1) else not attnotnull end as nullable, typname as type
      from pg_attribute join pg_type t on t.oid = atttypid join pg_class c on c.oid = attrelid
      where (relnamespace = 'public'::regnamespace or relnamespace = 'pg_catalog'::regnamespace) and relkind in ('r', 'p', 'v') and attnum > 0 and not attisdropped`,
    [optionalInViews],
  );
  const tables = new Map<string, Map<string, boolean>>();
  for (const { table, column, nullable } of rows)
    tables.set(table, (tables.get(table) ?? new Map<string, boolean>()).set(column, nullable));
  return {
    types: new Map(types.rows.map(({ oid, name }) => [oid, name])),
    columns: new Map(rows.map(({ id, table, column }) => [id, `${table}.${column}`])),
    columnTypes: new Map(rows.map(({ table, column, type }) => [`${table}.${column}`, type])),
    tables,
  };
}

/** The protocol messages that the driver sends and receives, which its types do not include. */
interface Wire {
  parse(query: { name: string; text: string; types: readonly number[] }): void;
  describe(what: { type: 'S'; name: string }): void;
  sync(): void;
  once(event: string, listener: (message: never) => void): void;
  removeAllListeners(event: string): void;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
  readonly tableID: number;
  readonly columnID: number;
}

/** Makes the database analyze a statement without executing it. Rejects with its error. */
export function describeStatement(
  client: pg.ClientBase,
  text: string,
  catalog: Catalog,
): Promise<Description> {
  return new Promise((resolve, reject) => {
    let parameters: readonly number[] = [];
    let fields: readonly Field[] = [];
    const submittable = {
      submit(connection: Wire) {
        connection.once('parameterDescription', ({ dataTypeIDs }: { dataTypeIDs: number[] }) => {
          parameters = dataTypeIDs;
        });
        connection.parse({ name: '', text, types: [] });
        connection.describe({ type: 'S', name: '' });
        connection.sync();
        this.connection = connection;
      },
      connection: undefined as Wire | undefined,
      handleRowDescription(message: { fields: Field[] }) {
        fields = message.fields;
      },
      handleError(error: Error) {
        this.connection?.removeAllListeners('parameterDescription');
        reject(error);
      },
      handleReadyForQuery() {
        resolve({
          parameters: parameters.map(oid => catalog.types.get(oid)!),
          columns: fields.map(({ name, dataTypeID, tableID, columnID }) => ({
            name,
            type: catalog.types.get(dataTypeID)!,
            origin: catalog.columns.get(`${tableID} ${columnID}`),
          })),
        });
      },
    };
    client.query(submittable as never);
  });
}
