import { noteOf, type Step } from './step.ts';

/** The URL of a header's page in MDN's reference. */
export function mdn(name: string): string {
  return `https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/${name}`;
}

interface Also {
  /** A note for every product. */
  readonly note?: string;
  readonly replace?: Readonly<Record<string, string>>;
}

/** Sets a header of every response in common servers. @param value without double quotes */
export function setHeader(name: string, value: string, also: Also = {}): Step[] {
  return setHeaders({ [name]: value }, also);
}

/** The same for several headers, by name. */
export function setHeaders(headers: Readonly<Record<string, string>>, { note, replace }: Also = {}): Step[] {
  const lines = (write: (name: string, value: string) => string) =>
    Object.entries(headers).map(([name, value]) => write(name, value));
  const step = (place: Step['place'], code: string, own?: string): Step => ({
    place,
    code,
    ...(replace ? { replace } : {}),
    ...noteOf(own, note),
  });
  return [
    step(
      'nginx.server',
      lines((name, value) => `add_header ${name} "${value}" always;`).join('\n'),
      'A `location` with its own `add_header` inherits none: repeat the code there.',
    ),
    step(
      'apache.host',
      lines((name, value) => `Header always set ${name} "${value}"`).join('\n'),
      needsHeaders,
    ),
    step('caddy.site', lines((name, value) => `header ${name} "${value}"`).join('\n')),
    step('express.app', beforeRoutes(...lines((name, value) => `res.set('${name}', ${quoted(value)});`))),
  ];
}

/** What Apache requires for its `Header` directive. */
export const needsHeaders = 'Requires mod_headers: `a2enmod headers`.';

/** An Express middleware. @param lines its body, with `req` and `res` */
export function beforeRoutes(...lines: readonly string[]): string {
  return ['app.use((req, res, next) => {', ...lines.map(line => `  ${line}`), '  next();', '});'].join('\n');
}

function quoted(value: string): string {
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}
