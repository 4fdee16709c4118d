import { beginningOf } from '../../mask-secrets.ts';

/** A parsed Strict-Transport-Security header (RFC 6797, 6.1). */
export type Hsts =
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'set'; readonly maxAge: number };

/** Directive names must be unique, and max-age is required, in whole seconds. */
export function parseHsts(value: string): Hsts {
  const seen = new Map<string, string>();
  for (const part of value.split(';')) {
    const directive = part.trim();
    if (directive === '') continue;
    const at = directive.indexOf('=');
    const name = (at < 0 ? directive : directive.slice(0, at)).trim().toLowerCase();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return malformed('a directive has an invalid name');
    if (seen.has(name)) return malformed(`the directive ${beginningOf(name, 40)} is repeated`);
    seen.set(name, at < 0 ? '' : directive.slice(at + 1).trim());
  }
  const maxAge = seen.get('max-age');
  if (maxAge === undefined) return malformed('max-age is missing');
  const digits = /^"?(\d{1,15})"?$/.exec(maxAge)?.[1];
  return digits === undefined
    ? malformed('max-age is not a number of seconds')
    : { kind: 'set', maxAge: Number(digits) };
}

function malformed(reason: string): Hsts {
  return { kind: 'malformed', reason };
}
