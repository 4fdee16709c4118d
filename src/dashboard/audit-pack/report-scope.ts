import { outdatedAfterDays } from '../../contract/dashboard/outdated.ts';
import { surfaceTitles } from '../../domain/check-description.ts';
import { type PackFacts, shown } from './facts.ts';
import { counted, orDash, sayMore } from './report-words.ts';
import type { ReportWriter } from './report-writer.ts';
import type { OutOfScope } from './scope.ts';

const file = 'json/out-of-scope.json';
const whyWords = {
  draft: 'Draft',
  disconnected: 'Disconnected',
  never_scanned: 'Never scanned',
  not_assessed: 'Not assessed recently',
} as const;
const resultWords = {
  not_assessed: 'Not assessed',
  outdated: 'Outdated',
  not_applicable: 'Not applicable',
} as const;

/** Lists what the report does not cover, so readers do not assume that it does. */
export function writeOutOfScope(writer: ReportWriter, { outOfScope }: PackFacts): void {
  writer.heading(1, 'Out of scope and not assessed');
  writer.paragraph(
    'This report makes no statement about the items listed here or about anything not registered as a source. Scans do not cover people, premises, devices, contracts, networks or backups outside a database server.',
  );
  writeSources(writer, outOfScope);
  writeChecks(writer, outOfScope);
  writeKinds(writer, outOfScope);
  writeInformational(writer, outOfScope);
  if (outOfScope.incomplete)
    writer.paragraph('These lists are truncated, in this report and in its files.', 'muted');
}

function writeSources(writer: ReportWriter, outOfScope: OutOfScope): void {
  const { sources, systems } = outOfScope;
  writer.heading(2, 'Sources and systems');
  if (sources.length === 0) {
    const { inScope } = countSources(outOfScope);
    writer.paragraph(
      inScope === 0
        ? 'No sources are registered, so nothing was scanned.'
        : `Every source is in scope and was assessed in the last ${outdatedAfterDays} days.`,
    );
  } else {
    writer.table(
      { Source: 4, System: 4, Type: 2, Host: 4, Reason: 2.5, 'Open findings': 1.8 },
      sources
        .slice(0, shown.sources)
        .map(source => [
          source.name,
          source.system,
          source.kind,
          source.host,
          whyWords[source.why],
          String(source.open_findings),
        ]),
    );
    sayMore(writer, sources.length > shown.sources, file);
  }
  if (systems.length === 0) return;
  const named = systems.slice(0, shown.sources).join(', ');
  writer.paragraph(`Systems without a source in scope: ${named}.`);
  sayMore(writer, systems.length > shown.sources, file);
}

/** Totals over all source types. */
export function countSources({ kinds }: OutOfScope): {
  inScope: number;
  neverScanned: number;
  notAssessed: number;
} {
  const sum = (of: 'sources' | 'never_scanned' | 'not_assessed') =>
    kinds.reduce((total, kind) => total + kind[of], 0);
  return { inScope: sum('sources'), neverScanned: sum('never_scanned'), notAssessed: sum('not_assessed') };
}

function writeChecks(writer: ReportWriter, outOfScope: OutOfScope): void {
  const { checks, checks_not_run } = outOfScope;
  const { inScope, neverScanned } = countSources(outOfScope);
  writer.heading(2, 'Checks without a result');
  if (inScope === neverScanned) {
    writer.paragraph('No source in scope was scanned, so no checks ran.');
    return;
  }
  if (checks.length + checks_not_run.length === 0) {
    writer.paragraph('Every check has a current result on every scanned source.');
    return;
  }
  if (checks.length > 0) {
    writer.table(
      { Check: 5, Result: 2.2, Reason: 5, Sources: 4 },
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
    `Not run on scanned sources (in full scans only, or newer than the latest scan): ${notRun.join(', ')}.`,
  );
}

/** Checks without any source to scan are in no other list. */
function writeKinds(writer: ReportWriter, { kinds }: OutOfScope): void {
  const absent = kinds.filter(({ sources }) => sources === 0);
  if (absent.length === 0) return;
  const named = absent.map(
    ({ kind, checks }) => `${surfaceTitles[kind] ?? kind} (${counted(checks, 'check')})`,
  );
  writer.paragraph(`No source of these types is in scope, so none of their checks ran: ${named.join(', ')}.`);
}

function namesOf(sources: readonly string[]): string {
  const named = sources.slice(0, shown.places).join(', ');
  return sources.length > shown.places ? `${named} and ${sources.length - shown.places} more` : named;
}

function writeInformational(writer: ReportWriter, { informational_findings }: OutOfScope): void {
  writer.heading(2, 'Informational findings');
  if (informational_findings.length === 0) {
    writer.paragraph('No open informational findings.');
    return;
  }
  writer.paragraph(
    'Informational findings do not affect controls and are not counted as open findings in this report.',
  );
  writer.table(
    { Finding: 6, Check: 5, Findings: 2, Sources: 2 },
    informational_findings.map(({ title, category, findings, sources }) => [
      title,
      category,
      String(findings),
      String(sources),
    ]),
  );
}
