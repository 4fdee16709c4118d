import { createHash } from 'node:crypto';
import type pg from 'pg';

/** Uses of a text before it is prepared: to prepare one that is used once costs more than it saves. */
const usesBefore = 5;

/**
 * PostgreSQL keeps each on every connection, with a plan of some ten kilobytes. pg-boss writes the queue and the number of jobs into a text:
 * there are about 150 for fetching.
 */
const mostPrepared = 256;

/** Texts whose uses are counted. */
const mostCounted = 1_024;

/**
 * Prepares the statements of pg-boss that are used repeatedly: to plan one takes PostgreSQL longer than to execute it. pg-boss gives them no
 * names.
 */
export class RepeatedStatements {
  readonly #uses = new Map<string, number>();
  readonly #names = new Map<string, string>();

  /** The statement, with a name if its text was used before. */
  prepare(text: string, values?: unknown[]): pg.QueryConfig {
    // Several statements in one text cannot be prepared.
    const name = text.includes(';') ? undefined : this.#nameOf(text);
    return { text, ...(name !== undefined && { name }), ...(values && { values }) };
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= mostPrepared) return known;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses <= usesBefore) {
      if (this.#uses.size >= mostCounted) this.#uses.clear();
      this.#uses.set(text, uses);
      return undefined;
    }
    this.#uses.delete(text);
    // PostgreSQL truncates names to 63 bytes.
    const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    this.#names.set(text, name);
    return name;
  }
}
