import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { Schema } from './schema.ts';

/** Builds statements with the tables, columns, values and rows of the schema. Sessions execute them. */
export const db = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: connection => new PostgresIntrospector(connection),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});
