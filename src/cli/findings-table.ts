import type { Finding } from '../contract/findings.ts';
import type { DescribeCheck } from './describe-check.ts';
import { countBySeverity, type FlawGroup, groupFindings } from './group-findings.ts';
import { type Colors, colorOf, forTerminal, wrap } from './terminal.ts';

export interface TableOptions {
  readonly colors: Colors;
  /** Maximum line width. Code is never wrapped, for copying. */
  readonly columns: number;
  readonly describe: DescribeCheck;
  /** URL of the page that documents all checks. */
  readonly checksPage: string;
  /** URL of a finding's page in the dashboard, which names its place: answers of the API do not. */
  readonly findingPage: (id: string) => string;
}

/** Pages that are listed of findings with the same check. */
const mostPages = 5;

/** Formats findings as text, most severe first, with reason and fix. */
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
  { title, category, ids, remediation }: FlawGroup,
  { colors, columns, describe, findingPage }: TableOptions,
): string[] {
  const why = describe(category)?.why;
  const count = ids.length > 1 ? ` · ${ids.length} places` : '';
  const rest = ids.length - mostPages;
  return [
    ...indented(wrap(title, columns - 2), 2).map(colors.bold),
    ...indented(wrap(`${category}${count}`, columns - 2), 2).map(colors.dim),
    ...(why ? indented(wrap(why, columns - 4), 4) : []),
    ...indented(wrapMarkdown(remediation, columns - 4), 4),
    '',
    // A URL is never wrapped, for opening.
    ...indented(
      ids.slice(0, mostPages).map(id => forTerminal(`Where: ${findingPage(id)}`)),
      4,
    ),
    ...(rest > 0 ? indented([`and ${rest} more`], 4) : []),
  ];
}

/** Wraps text, but not code, which is indented by four spaces. */
function wrapMarkdown(text: string, width: number): string[] {
  return text.split('\n').flatMap(line => {
    if (line.startsWith('    ')) return [forTerminal(line)];
    return line === '' ? [''] : wrap(line, width);
  });
}

function indented(lines: readonly string[], columns: number): string[] {
  return lines.map(line => (line === '' ? '' : ' '.repeat(columns) + line));
}
