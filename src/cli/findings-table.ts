import type { Finding } from '../contract/findings.ts';
import type { DescribeCheck } from './describe-check.ts';
import { countBySeverity, type FlawGroup, groupFindings } from './group-findings.ts';
import { type Colors, colorOf, forTerminal, wrap } from './terminal.ts';

export interface TableOptions {
  readonly colors: Colors;
  /** Columns to write in. Code is never broken: it is for copying. */
  readonly columns: number;
  readonly describe: DescribeCheck;
  /** The page that explains every check. */
  readonly checksPage: string;
}

/** Findings for people, most severe first: what is wrong, why it matters and how to fix it. */
export function findingsTable(findings: readonly Finding[], options: TableOptions): string {
  if (findings.length === 0) return 'No open findings.';
  const { colors, checksPage } = options;
  const lines = groupFindings(findings).flatMap(({ severity, flaws }) => [
    colorOf(severity, colors)(severity.toUpperCase()),
    '',
    ...flaws.flatMap(flaw => [...describeFlaw(flaw, options), '']),
  ]);
  return [
    ...lines,
    `${findings.length} open: ${countBySeverity(findings)}`,
    `All checks: ${checksPage}`,
  ].join('\n');
}

function describeFlaw(
  { title, category, places, remediation }: FlawGroup,
  { colors, columns, describe }: TableOptions,
): string[] {
  const why = describe(category)?.why;
  const count = places > 1 ? ` · ${places} places` : '';
  return [
    ...indented(wrap(title, columns - 2), 2).map(colors.bold),
    ...indented(wrap(`${category}${count}`, columns - 2), 2).map(colors.dim),
    ...(why ? indented(wrap(why, columns - 4), 4) : []),
    ...indented(wrapMarkdown(remediation, columns - 4), 4),
  ];
}

/** Code, which is indented by four columns, stays as it is. */
function wrapMarkdown(text: string, width: number): string[] {
  return text.split('\n').flatMap(line => {
    if (line.startsWith('    ')) return [forTerminal(line)];
    return line === '' ? [''] : wrap(line, width);
  });
}

function indented(lines: readonly string[], columns: number): string[] {
  return lines.map(line => (line === '' ? '' : ' '.repeat(columns) + line));
}
