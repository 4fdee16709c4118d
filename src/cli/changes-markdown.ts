import type { Finding } from '../contract/findings.ts';
import type { ScanWithRuns } from '../contract/scans.ts';
import { severities } from '../contract/severity.ts';
import { markdownCode, markdownLink, markdownText } from '../formats/markdown.ts';
import type { SarifPlace } from '../formats/sarif.ts';
import type { Changes } from './changes.ts';
import { countBySeverity } from './group-findings.ts';
import { type DescribeCause, gapsOf } from './scan-outcome.ts';

export interface SummaryOptions {
  readonly scan: ScanWithRuns;
  readonly target: SarifPlace;
  readonly open: readonly Finding[];
  readonly describeCause: DescribeCause;
  readonly checksPage: string;
  readonly findingPage: (id: string) => string;
}

/** Findings that a section lists. */
const mostRows = 25;
/** Below the limit of a comment on GitHub, 65,536 characters. */
const longestSections = 55_000;

/**
 * Summarizes what changed as Markdown, for a comment on a pull request. The first line is a comment with the counts: it identifies the
 * summary among other comments, and scripts read it.
 */
export function changesMarkdown(changes: Changes, options: SummaryOptions): string {
  const { created, reopened, resolved, isComplete } = changes;
  const { scan, target, open, describeCause } = options;
  const counts = [
    [created.length, 'new'],
    [reopened.length, 'reopened'],
    [resolved.length, 'resolved'],
  ] as const;
  const changed = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const budget = { left: longestSections };
  const sections = [
    ...section('New', created, options, budget),
    ...section('Reopened', reopened, options, budget),
    ...section('Resolved', resolved, options, budget),
  ];
  const verdict = scan.verdict === null ? '' : ` Verdict: **${markdownText(scan.verdict, 40)}**.`;
  const gaps = gapsOf(scan, describeCause).map(gap => markdownText(gap, 400));
  return [
    `<!-- parapet-scan ${counts.map(([count, what]) => `${what}=${count}`).join(' ')} -->`,
    `## Parapet: ${changed.join(', ') || 'no changes'}`,
    '',
    `Scan of ${target.kind} ${markdownCode(target.name, 100)} ${markdownText(scan.status, 40)}.${verdict} Open findings: ${open.length} (${countBySeverity(open)}).`,
    ...(isComplete ? [] : ['', 'The scan had started before. Reopened and resolved findings are not known.']),
    ...sections,
    ...(gaps.length > 0 ? ['', '### Not assessed', '', ...gaps.slice(0, 20).map(gap => `- ${gap}`)] : []),
    '',
  ].join('\n');
}

function section(
  heading: string,
  findings: readonly Finding[],
  { checksPage, findingPage }: SummaryOptions,
  budget: { left: number },
): string[] {
  if (findings.length === 0) return [];
  const rank = ({ severity }: Finding) => severities.indexOf(severity);
  const rows: string[] = [];
  for (const { id, severity, title, category } of findings.toSorted((a, b) => rank(a) - rank(b))) {
    const check = `[${markdownCode(category, 100)}](${checksPage}#${encodeURIComponent(category)})`;
    const link = markdownLink(title, findingPage(encodeURIComponent(id)), 200);
    const row = `| ${markdownText(severity, 20)} | ${link} | ${check} |`;
    if (rows.length === mostRows || row.length > budget.left) break;
    budget.left -= row.length;
    rows.push(row);
  }
  const rest = findings.length - rows.length;
  return [
    '',
    `### ${heading}`,
    '',
    '| Severity | Finding | Check |',
    '| --- | --- | --- |',
    ...rows,
    ...(rest > 0 ? ['', `${rest} more are in the dashboard.`] : []),
  ];
}
