import Table from 'cli-table3';
import type { Finding } from '../contract/findings.ts';
import type { DescribeCheck } from './describe-check.ts';
import { countBySeverity, type FlawGroup, groupFindings } from './group-findings.ts';
import { type Colours, colourOf, wrap } from './terminal.ts';

export interface TableOptions {
  readonly colours: Colours;
  /** Columns to write in. */
  readonly columns: number;
  readonly describe: DescribeCheck;
  /** The page that explains every check. */
  readonly checksPage: string;
}

/** Columns of the table's own: three borders, and a space on each side of two cells. */
const frame = 7;

/** Findings for people: what is wrong, what it means and what to do, worst first. */
export function findingsTable(findings: readonly Finding[], options: TableOptions): string {
  if (findings.length === 0) return 'No open findings.';
  const { colours, columns } = options;
  const left = Math.floor((columns - frame) * 0.37);
  const right = columns - frame - left;
  const table = new Table({
    colWidths: [left + 2, right + 2],
    style: { head: [], border: colours.isColorSupported ? ['gray'] : [] },
  });
  table.push([colours.bold('What is wrong'), colours.bold('What it means, and what to do')]);
  for (const { severity, flaws } of groupFindings(findings)) {
    const colour = colourOf(severity, colours);
    table.push([{ colSpan: 2, content: colour(severity.toUpperCase()) }]);
    for (const flaw of flaws) {
      table.push([wrong(flaw, left, options).join('\n'), remedy(flaw, right, options).join('\n')]);
    }
  }
  return `${table.toString()}\n${findings.length} open: ${countBySeverity(findings)}\nMore about each: ${options.checksPage}`;
}

function wrong(flaw: FlawGroup, width: number, { colours }: TableOptions): string[] {
  return [
    ...wrap(flaw.title, width),
    ...wrap(flaw.category, width).map(colours.dim),
    ...(flaw.places > 1 ? [colours.dim(`in ${flaw.places} places`)] : []),
  ];
}

function remedy(flaw: FlawGroup, width: number, { colours, describe }: TableOptions): string[] {
  const why = describe(flaw.category)?.why;
  const [first = '', ...rest] = wrap(`To do: ${flaw.remediation}`, width);
  return [...(why ? wrap(why, width) : []), first.replace(/^To do:/, colours.bold('To do:')), ...rest];
}
