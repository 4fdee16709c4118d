import type { Step } from './step.ts';

/** Sets a header of every answer in the usual servers. @param value without quotation marks or apostrophes at its ends */
export function setHeader(name: string, value: string): Step[] {
  return [
    { place: 'nginx.server', code: `add_header ${name} "${value}" always;`, note: inherited },
    { place: 'apache.host', code: `Header always set ${name} "${value}"`, note: needsHeaders },
    { place: 'caddy.site', code: `header ${name} "${value}"` },
    { place: 'express.app', code: beforeRoutes(`res.set('${name}', ${JSON.stringify(value)});`) },
  ];
}

const inherited = 'A `location` block with an `add_header` of its own inherits none: repeat the line there.';
/** What Apache needs for `Header`. */
export const needsHeaders = 'Requires `a2enmod headers`.';

/** An Express middleware. @param lines its body, with `res` as the answer */
export function beforeRoutes(...lines: readonly string[]): string {
  return ['app.use((req, res, next) => {', ...lines.map(line => `  ${line}`), '  next();', '});'].join('\n');
}
