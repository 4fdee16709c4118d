import pg from 'pg';

/**
 * A connection that prepares nothing by name: a pooler in transaction mode sends the next statement to another session, where the name
 * is unknown or means another statement.
 */
export class UnnamedStatements extends pg.Client {
  override query(statement: unknown, ...rest: unknown[]): never {
    return Reflect.apply(super.query, this, [withoutName(statement), ...rest]) as never;
  }
}

function withoutName(statement: unknown): unknown {
  // A query of its own class submits itself.
  if (typeof statement !== 'object' || statement === null || 'submit' in statement) return statement;
  return { ...statement, name: undefined };
}
