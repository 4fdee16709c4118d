import { join } from 'node:path';
import { ConfigurationFiles } from './configuration/configuration-files.ts';
import { findFirewalls } from './configuration/find-firewalls.ts';
import type { LogSettings } from './forwarder-settings.ts';
import type { RuleBook } from './rule-book.ts';

/**
 * The rules of the firewall that writes a log. Read again when the files of its configuration have changed: a rule that is not known
 * counts as one that denies nothing.
 */
export class RulesOfLog {
  readonly #entry: Pick<LogSettings, 'engine' | 'path'>;
  readonly #root: string;
  readonly #intervalMilliseconds: number;
  #book: RuleBook = new Map();
  #files: ConfigurationFiles | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;

  /** @param intervalMilliseconds how long files are not checked again */
  constructor(
    entry: Pick<LogSettings, 'engine' | 'path'>,
    root: string,
    { intervalMilliseconds = 1_000 }: { readonly intervalMilliseconds?: number } = {},
  ) {
    this.#entry = entry;
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
    const { engine, path } = this.#entry;
    const found = (await findFirewalls(files)).filter(firewall => firewall.engine !== 'crowdsec');
    const same = found.filter(firewall => firewall.engine === engine);
    const own = same.find(({ auditLog }) => auditLog && join(this.#root, auditLog.path) === path);
    return (own ?? same[0])?.book ?? new Map();
  }
}
