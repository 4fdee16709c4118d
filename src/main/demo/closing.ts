import { checksPageOf, findingPageOf } from '../../cli/describe-check.ts';
import { findingsTable } from '../../cli/findings-table.ts';
import { hasAtLeast } from '../../cli/group-findings.ts';
import { colorOf } from '../../cli/terminal.ts';
import { checkById } from '../../detectors/catalogue.ts';
import { rankChecks } from '../../domain/fix-first.ts';
import type { DashboardAccess } from './dashboard-access.ts';
import type { Narrator } from './narrator.ts';
import type { DemoResult } from './story.ts';
import type { ClientEnvironment } from './throw-away-service.ts';

const meanings = {
  fail: 'at least one critical or high finding is open',
  warn: 'the most severe open finding is medium or low',
  pass: 'no open finding is above info',
  inconclusive: 'some runs did not succeed',
} as const;

/** Prints the findings and the verdict. @param url base URL of the service */
export function showFindings({ scan, findings }: DemoResult, url: string, narrator: Narrator): void {
  const { colors, columns } = narrator;
  narrator.line();
  narrator.line(
    findingsTable(findings, {
      colors,
      columns,
      describe: checkById,
      checksPage: checksPageOf(url),
      findingPage: id => findingPageOf(url, id),
    }),
  );
  narrator.line();
  const verdict = scan.verdict ?? 'inconclusive';
  const color = verdict === 'fail' ? colors.red : verdict === 'pass' ? colors.green : colors.yellow;
  narrator.line(`Verdict: ${colors.bold(color(verdict))} (${meanings[verdict]})`);
  const urgent = rankChecks(
    findings.map(({ category, severity }) => ({ check: category, severity, count: 1 })),
  ).filter(one => hasAtLeast([one], 'high'));
  if (urgent.length === 0) return;
  // The top of the table may have scrolled out of view.
  narrator.line('Fix first:');
  const titles = new Map(findings.map(({ category, title }) => [category, title]));
  for (const { check, severity } of urgent)
    narrator.line(
      `   ${colorOf(severity, colors)(severity.padEnd(8))}  ${titles.get(check)} ${colors.dim(check)}`,
    );
}

interface NextSteps {
  readonly result: DemoResult;
  readonly environment: ClientEnvironment;
  readonly access: DashboardAccess;
  readonly siteUrl: string | undefined;
}

/** Prints what to try while the service stays up. */
export function showNextSteps({ result, environment, access, siteUrl }: NextSteps, narrator: Narrator): void {
  const { bold, cyan, dim } = narrator.colors;
  narrator.line();
  narrator.line(bold('Next steps'));
  narrator.line(`   Dashboard:          ${cyan(access.url)}`);
  narrator.line(`     Sign in as:       ${access.email}, password ${access.password}`);
  narrator.line(`     Owner invitation: ${cyan(access.ownerLink)}`);
  narrator.line(
    dim('                       Create an owner account to manage people, keys and audit packs.'),
  );
  narrator.line(`   API reference:      ${cyan(`${environment.PARAPET_URL}/docs`)}`);
  if (siteUrl)
    narrator.line(
      `   Sample site:        ${cyan(siteUrl)} (expect a certificate warning: its certificate has expired)`,
    );
  narrator.line();
  narrator.paragraph(
    'To call the API, run these commands in this folder in another terminal. The key is shown in full because it is deleted with the demo:',
    '   ',
  );
  for (const [name, value] of Object.entries(environment)) narrator.line(`     export ${name}=${value}`);
  narrator.line(`     npx parapet call GET /api/v1/findings`);
  narrator.line(`     npx parapet scan --source ${result.source.id} --wait --fail-on high`);
  narrator.line();
  narrator.line(
    dim('   Press Ctrl-C to end the demo and remove the service, its database and the sample site.'),
  );
}
