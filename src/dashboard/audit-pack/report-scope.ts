import { type PackFacts, shown } from './facts.ts';
import { counted, orDash, sayMore } from './report-words.ts';
import type { ReportWriter } from './report-writer.ts';
import type { OutOfScope } from './scope.ts';

const file = 'json/out-of-scope.json';
const whyWords = { draft: 'Draft', disconnected: 'Disconnected', never_scanned: 'Never scanned' } as const;
const resultWords = {
  not_assessed: 'Not assessed',
  outdated: 'Outdated',
  not_applicable: 'Not applicable',
} as const;

/** What a reader must not take for covered. */
export function writeOutOfScope(writer: ReportWriter, { outOfScope }: PackFacts): void {
  writer.heading(1, 'Out of scope and not assessed');
  writer.paragraph(
    'This report makes no statement about what is listed here, nor about anything that is not registered as a source. Scans do not cover people, premises, devices, contracts, backups outside of a database server, or networks.',
  );
  writeSources(writer, outOfScope);
  writeChecks(writer, outOfScope);
  writeInformational(writer, outOfScope);
  if (outOfScope.incomplete) writer.paragraph('There are more than this report and its files list.', 'muted');
}

function writeSources(writer: ReportWriter, { sources, systems }: OutOfScope): void {
  writer.heading(2, 'Sources and systems');
  if (sources.length === 0) writer.paragraph('Every source is in scope and was scanned.');
  else {
    writer.table(
      [
        { title: 'Source', share: 4 },
        { title: 'System', share: 4 },
        { title: 'Kind', share: 2 },
        { title: 'Host', share: 4 },
        { title: 'Why', share: 2.5 },
      ],
      sources
        .slice(0, shown.sources)
        .map(source => [source.name, source.system, source.kind, source.host, whyWords[source.why]]),
    );
    sayMore(writer, sources.length > shown.sources, file);
  }
  if (systems.length === 0) return;
  const named = systems.slice(0, shown.sources).join(', ');
  writer.paragraph(`Systems without a source in scope: ${named}.`);
  sayMore(writer, systems.length > shown.sources, file);
}

function writeChecks(writer: ReportWriter, { checks, checks_not_run }: OutOfScope): void {
  writer.heading(2, 'Checks without a result');
  if (checks.length + checks_not_run.length === 0) {
    writer.paragraph('Every check has a current result on every scanned source.');
    return;
  }
  if (checks.length > 0) {
    writer.table(
      [
        { title: 'Check', share: 5 },
        { title: 'Result', share: 2.2 },
        { title: 'Reason', share: 5 },
        { title: 'Sources', share: 4 },
      ],
      checks
        .slice(0, shown.checks)
        .map(({ title, check, result, reason, sources }) => [
          `${title}\n${check}`,
          resultWords[result],
          orDash(reason),
          namesOf(sources),
        ]),
    );
    sayMore(writer, checks.length > shown.checks, file);
  }
  if (checks_not_run.length === 0) return;
  const notRun = checks_not_run.map(({ check, sources }) => `${check} (${counted(sources, 'source')})`);
  writer.paragraph(
    `Not run on scanned sources, because they run in full scans only or are newer than the latest scan: ${notRun.join(', ')}.`,
  );
}

function namesOf(sources: readonly string[]): string {
  const named = sources.slice(0, shown.places).join(', ');
  return sources.length > shown.places ? `${named} and ${sources.length - shown.places} more` : named;
}

function writeInformational(writer: ReportWriter, { informational_findings }: OutOfScope): void {
  writer.heading(2, 'Informational findings');
  if (informational_findings.length === 0) {
    writer.paragraph('No informational finding is open.');
    return;
  }
  writer.paragraph('They lower no control, and are not among the open findings of this report.');
  writer.table(
    [
      { title: 'Finding', share: 6 },
      { title: 'Check', share: 5 },
      { title: 'Findings', share: 2 },
      { title: 'Sources', share: 2 },
    ],
    informational_findings.map(({ title, category, findings, sources }) => [
      title,
      category,
      String(findings),
      String(sources),
    ]),
  );
}
