import { dirname } from 'node:path';
import { type KnownRule, readRules } from '../rule-book.ts';
import type { ConfigurationFiles } from './configuration-files.ts';

/** A directive of ModSecurity or Apache, without quotes around its parameters. */
export interface Directive {
  readonly file: string;
  readonly name: string;
  readonly value: string;
}

/** All directives of a configuration in their order, and its rules. */
export interface Directives {
  readonly all: readonly Directive[];
  readonly book: ReadonlyMap<string, KnownRule>;
}

/** `SecRule` and others are in the book. */
const kept =
  /^(Sec(?:RuleEngine|AuditEngine|AuditLog|AuditLogFormat|AuditLogParts|AuditLogType|AuditLogStorageDir|ComponentSignature)|Include|IncludeOptional|LoadModule|ServerRoot)\s+(\S.*)$/i;

/**
 * Reads a configuration with the files that it includes.
 *
 * @param base folder of relative paths; without one, that of the including file
 */
export async function readDirectives(
  files: ConfigurationFiles,
  starts: readonly { readonly file: string; readonly text?: string }[],
  base?: string,
): Promise<Directives> {
  const all: Directive[] = [];
  const book = new Map<string, KnownRule>();
  const visited = new Set<string>();
  const visit = async (file: string, text: string | undefined): Promise<void> => {
    if (text === undefined) return;
    readRules(text, book);
    for (const line of text.replace(/\\\r?\n/g, ' ').split('\n')) {
      const [, name, written = ''] = kept.exec(line.trim().slice(0, 10_000)) ?? [];
      if (name === undefined) continue;
      const value = written.trim().replace(/^["']|["']$/g, '');
      all.push({ file, name: name.toLowerCase(), value });
      if (!/^include/i.test(name)) continue;
      for (const included of await files.matching(value, base ?? dirname(file))) {
        // Also ends where files include themselves.
        if (visited.has(included)) continue;
        visited.add(included);
        await visit(included, await files.read(included));
      }
    }
  };
  for (const { file, text } of starts) await visit(file, text ?? (await files.read(file)));
  return { all, book };
}

/** The last of the directives with a name, which is the valid one. */
export function lastOf({ all }: Directives, name: string): Directive | undefined {
  return all.findLast(directive => directive.name === name.toLowerCase());
}
