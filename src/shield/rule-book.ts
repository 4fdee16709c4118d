/** What the file of a rule says about it. */
export interface KnownRule {
  /** Its message without macros such as `%{MATCHED_VAR}`, which the firewall replaces with values of the request. */
  readonly message: string | null;
  /** Whether it denies a request where it matches. */
  readonly denies: boolean;
}

/**
 * The firewall's rules by id, read from its files. Messages are taken from here and not from the log, where macros are expanded and
 * cannot be recognized.
 */
export type RuleBook = ReadonlyMap<string, KnownRule>;

const rule = /^[ \t]*Sec(?:Rule|Action)\b/i;
const denial = /^(?:deny|drop|redirect:.*|proxy:.*)$/s;

/**
 * Adds the rules of a configuration file.
 *
 * @param text of ModSecurity's language, at most a few megabytes
 */
export function readRules(text: string, book: Map<string, KnownRule>): void {
  let blocks = false;
  for (const directive of directivesOf(text)) {
    if (/^SecDefaultAction\b/i.test(directive)) {
      blocks = actionsOf(directive).some(action => denial.test(action));
    }
    if (!rule.test(directive)) continue;
    const actions = actionsOf(directive);
    const parameterOf = (name: string) =>
      actions.find(action => action.startsWith(`${name}:`))?.slice(name.length + 1);
    const id = /^'?([0-9]{1,12})'?$/.exec(parameterOf('id') ?? '')?.[1];
    if (id === undefined) continue;
    const message = parameterOf('msg');
    book.set(id, {
      message: message === undefined ? null : staticText(message.replace(/^'|'$/g, '')),
      denies: actions.some(action => denial.test(action) || (blocks && action === 'block')),
    });
  }
}

/** Removes macros, and parentheses that contain nothing else. */
function staticText(text: string): string {
  return text
    .slice(0, 1_000)
    .replace(/%\{[^%{}]*\}/g, '…')
    .replace(/[^\P{Cc}]/gu, ' ')
    .replaceAll('(…)', '')
    .trim()
    .slice(0, 200)
    .toWellFormed();
}

/** Directives, each with its continuation lines. Comments are left out. */
function directivesOf(text: string): string[] {
  return text
    .replace(/\\\r?\n/g, ' ')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));
}

/** The actions of a rule, which are its last quoted parameter. */
function actionsOf(directive: string): string[] {
  const end = directive.lastIndexOf('"');
  let start = end > 0 ? directive.lastIndexOf('"', end - 1) : -1;
  while (start > 0 && directive[start - 1] === '\\') start = directive.lastIndexOf('"', start - 1);
  const actions: string[] = [];
  let current = '';
  let isQuoted = false;
  let previous = '';
  for (const part of directive.slice(start + 1, Math.max(end, 0)).split(/([,'])/)) {
    if (part === "'" && !previous.endsWith('\\')) isQuoted = !isQuoted;
    if (part === ',' && !isQuoted) {
      actions.push(current.trim());
      current = '';
    } else current += part;
    previous = part;
  }
  return [...actions, current.trim()];
}
