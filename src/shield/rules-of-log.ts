import type { AuditLogEngine } from './audit-logs/read-record.ts';
import { ConfigurationFiles } from './configuration/configuration-files.ts';
import { findFirewalls } from './configuration/find-firewalls.ts';
import type { RuleBook } from './rule-book.ts';

/**
 * The rules of a firewall. Read again when the files of its configuration have changed: a rule that is not known
 * counts as one that denies nothing.
 */
export class RulesOfLog {
  readonly #engine: AuditLogEngine;
  readonly #root: string;
  readonly #intervalMilliseconds: number;
  #book: RuleBook = new Map();
  #files: ConfigurationFiles | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;

  /** @param intervalMilliseconds how long files are not checked again */
  constructor(
    engine: AuditLogEngine,
    root: string,
    { intervalMilliseconds = 1_000 }: { readonly intervalMilliseconds?: number } = {},
  ) {
    this.#engine = engine;
    this.#root = root;
    this.#intervalMilliseconds = intervalMilliseconds;
  }

  /** The rules, with those that were in the files before: records may be older, and files may be unreadable for a while. */
  async current(): Promise<RuleBook> {
    if (performance.now() - this.#checkedAt < this.#intervalMilliseconds) return this.#book;
    if (this.#files === undefined || (await this.#files.haveChanged())) {
      const files = new ConfigurationFiles(this.#root);
      this.#book = new Map([...this.#book, ...(await this.#read(files))]);
      this.#files = files;
    }
    this.#checkedAt = performance.now();
    return this.#book;
  }

  async #read(files: ConfigurationFiles): Promise<RuleBook> {
    const found = (await findFirewalls(files)).find(({ engine }) => engine === this.#engine);
    return found && 'book' in found ? found.book : new Map();
  }
}
