import { asObject } from './json-fields.ts';

/** The path of a request target in any form (RFC 9112, section 3.2), without query and fragment. */
export function pathOf(target: string): string {
  const [before = ''] = target.split(/[?#]/, 1);
  const [, path] = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/]*(.*)$/s.exec(before) ?? [];
  return path === undefined ? before : path || '/';
}

/** Names that session cookies of common products and frameworks contain. */
const sessionName = /sess|sid|auth|token|jwt|login|identity|remember/i;

/**
 * What the headers of a request show, whatever their spelling. Only the names of cookies are read.
 *
 * @param headers a text or a list of texts by name; undefined if the log has none
 */
export function headerFacts(headers: unknown): {
  readonly host: string;
  readonly authenticated: boolean | undefined;
} {
  const given = asObject(headers);
  if (given === undefined) return { host: '', authenticated: undefined };
  let host = '';
  let authenticated = false;
  for (const [name, value] of Object.entries(given)) {
    const values = (Array.isArray(value) ? value : [value]).filter(one => typeof one === 'string');
    switch (name.toLowerCase()) {
      case 'host':
        host = values[0] ?? '';
        break;
      case 'authorization':
        authenticated = true;
        break;
      case 'cookie':
        authenticated ||= values.some(hasSession);
    }
  }
  return { host, authenticated };
}

function hasSession(cookies: string): boolean {
  return cookies.split(';', 100).some(cookie => sessionName.test(cookie.split('=', 1)[0]!.slice(0, 100)));
}
