import { checksPageOf } from '../../cli/describe-check.ts';
import { findingsTable } from '../../cli/findings-table.ts';
import { groupFindings, hasAtLeast } from '../../cli/group-findings.ts';
import { colourOf } from '../../cli/terminal.ts';
import { checkById } from '../../detectors/catalogue.ts';
import type { DashboardLook } from './dashboard-look.ts';
import type { Narrator } from './narrator.ts';
import type { Told } from './story.ts';
import type { ClientEnvironment } from './throw-away-service.ts';

const meanings = {
  fail: 'at least one critical or high finding is open',
  warn: 'nothing worse than a medium finding is open',
  pass: 'nothing worse than an information is open',
  inconclusive: 'not every detector could look, so nothing can be promised',
} as const;

/** The findings, for people, and what they come to. @param url the service's address */
export function showFindings({ scan, findings }: Told, url: string, narrator: Narrator): void {
  const { colours, columns } = narrator;
  narrator.line();
  narrator.line(
    findingsTable(findings, { colours, columns, describe: checkById, checksPage: checksPageOf(url) }),
  );
  narrator.line();
  const verdict = scan.verdict ?? 'inconclusive';
  const colour = verdict === 'fail' ? colours.red : verdict === 'pass' ? colours.green : colours.yellow;
  narrator.line(`Verdict: ${colours.bold(colour(verdict))}, ${meanings[verdict]}.`);
  const urgent = groupFindings(findings).filter(({ severity }) => hasAtLeast([{ severity }], 'high'));
  if (urgent.length === 0) return;
  // Once more, since the top of the table may have left the screen.
  narrator.line('To be mended first:');
  for (const { severity, flaws } of urgent) {
    for (const { title, category } of flaws) {
      narrator.line(
        `   ${colourOf(severity, colours)(severity.padEnd(8))}  ${title} ${colours.dim(category)}`,
      );
    }
  }
}

interface WayOn {
  readonly told: Told;
  readonly environment: ClientEnvironment;
  readonly look: DashboardLook;
  readonly siteUrl: string | undefined;
}

/** Where to go from here, while the service stays up. */
export function showWayOn({ told, environment, look, siteUrl }: WayOn, narrator: Narrator): void {
  const { bold, cyan, dim } = narrator.colours;
  narrator.line();
  narrator.line(bold('Now you'));
  narrator.line(`   The dashboard:        ${cyan(look.url)}`);
  narrator.line(`     to look around:     ${look.email}, password ${look.password}`);
  narrator.line(`     as its owner:       ${cyan(look.ownerLink)}`);
  narrator.line(
    dim(
      '                         The link makes you an account, which also sees people, keys and audit packs.',
    ),
  );
  narrator.line(`   The API's reference:  ${cyan(`${environment.PARAPET_URL}/docs`)}`);
  if (siteUrl)
    narrator.line(`   The sample site:      ${cyan(siteUrl)} (the browser's warning is one of its flaws)`);
  narrator.line();
  narrator.paragraph(
    'To call the API yourself, copy this into another terminal, in this folder. The key is shown in full because it exists only in this demo, and is gone with it:',
    '   ',
  );
  for (const [name, value] of Object.entries(environment)) narrator.line(`     export ${name}=${value}`);
  narrator.line(`     npx parapet call GET /api/v1/findings`);
  narrator.line(`     npx parapet scan --source ${told.source.id} --wait --fail-on high`);
  narrator.line();
  narrator.line(dim('   Ctrl-C ends the demo, and removes the service, its database and the sample site.'));
}
