import { DatabaseClient } from './database-client.ts';

/**
 * A connection for a pooler in transaction mode. It prepares nothing by name, since the pooler sends the next statement to another session,
 * where the name is unknown or means another statement. It sends each statement after the answer to the one before: poolers may
 * give a session to others at the first of several answers.
 */
export class UnnamedStatements extends DatabaseClient {
  #answered: Promise<unknown> = Promise.resolve();

  override query(statement: unknown, ...rest: unknown[]): never {
    const send = () => Reflect.apply(super.query, this, [withoutName(statement), ...rest]);
    // The pool calls back, and has the connection for itself until then.
    if (typeof rest.at(-1) === 'function') return send() as never;
    const answer = this.#answered.then(send);
    this.#answered = answer.catch(() => {});
    return answer as never;
  }
}

function withoutName(statement: unknown): unknown {
  return typeof statement === 'object' ? { ...statement, name: undefined } : statement;
}
