import { type RuleSeverity, ruleSeverities } from '../../contract/shield-events.ts';

/** Reads fields of JSON that others wrote: what has another type than expected counts as missing. */

type Fields = Readonly<Record<string, unknown>>;

/** The object in a line; undefined if it is none. Nesting is not followed beyond the fields that are read. */
export function parseObject(text: string): Fields | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function asObject(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function objectAt(value: unknown, name: string): Fields {
  return asObject(asObject(value)?.[name]) ?? {};
}

/** The items of an array, the first thousand. */
export function itemsAt(value: unknown, name: string): readonly unknown[] {
  const items = asObject(value)?.[name];
  return Array.isArray(items) ? items.slice(0, 1_000) : [];
}

/** A text or number; '' if there is none. */
export function textAt(value: unknown, name: string): string {
  const field = asObject(value)?.[name];
  return typeof field === 'string' ? field : typeof field === 'number' ? String(field) : '';
}

/** The texts of an array, the first hundred of at most a hundred characters. */
export function wordsAt(value: unknown, name: string): readonly string[] {
  return itemsAt(value, name)
    .slice(0, 100)
    .filter((item): item is string => typeof item === 'string' && item.length <= 100);
}

/** The status of an answer; null if it is not one. */
export function statusAt(value: unknown, name: string): number | null {
  const status = Number(textAt(value, name));
  return Number.isInteger(status) && status >= 100 && status <= 999 ? status : null;
}

export function ruleIdOf(text: string): string | undefined {
  return /^[0-9]{1,12}$/.test(text) ? text : undefined;
}

/** @param text the number or name of a severity (RFC 5424, section 6.2.1) */
export function severityOf(text: string): RuleSeverity | null {
  const byName = ruleSeverities.find(name => name === text.toLowerCase());
  return byName ?? (/^[0-7]$/.test(text) ? ruleSeverities[Number(text)]! : null);
}

/** @param text such as `OWASP_CRS/3.3.4` */
export function ruleSetOf(text: string | undefined): { name: string; version: string | null } | null {
  const [, name, version] = /^([A-Za-z0-9_.-]{1,40})(?:\/([A-Za-z0-9_.+-]{1,40}))?/.exec(text ?? '') ?? [];
  return name === undefined ? null : { name, version: version ?? null };
}

/** The first version number of a text, such as `ModSecurity v3.0.9 (Linux)`. */
export function versionOf(text: string): string | null {
  return /\d{1,5}(?:\.\d{1,5}){1,3}/.exec(text.slice(0, 200))?.[0] ?? null;
}
