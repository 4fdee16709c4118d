import { outdatedAfterDays } from '../../contract/dashboard/outdated.ts';
import { type PackFacts, shown } from './facts.ts';
import { writeAttestations, writeMapping, writeMatrix, writeSupport } from './report-controls.ts';
import { writeChain, writeEvidence, writeScans } from './report-history.ts';
import { writeDecided, writeOpen } from './report-risks.ts';
import { countSources, writeOutOfScope } from './report-scope.ts';
import { day, moment, sayMore } from './report-words.ts';
import { ReportWriter } from './report-writer.ts';

/** Whose report it is, for which period and as of when. */
export type ReportSubject = Pick<PackFacts, 'organization' | 'period' | 'madeAt'>;

/** Writes the report. Blocks the event loop for seconds: see `report-program.ts`. */
export async function writeReport(facts: PackFacts): Promise<Uint8Array> {
  const writer = writerFor(facts);
  writeCover(writer, facts);
  writeScope(writer, facts);
  writeOutOfScope(writer, facts);
  writeMatrix(writer, facts.matrix);
  writeSupport(writer, facts);
  writeOpen(writer, facts);
  writeDecided(writer, facts);
  writeAttestations(writer, facts);
  writeEvidence(writer, facts);
  writeScans(writer, facts);
  writeChain(writer, facts);
  writeMapping(writer, facts);
  return writer.end();
}

/** One page that replaces a report that exceeds the limits. */
export async function writeNoReport(about: ReportSubject): Promise<Uint8Array> {
  const writer = writerFor(about);
  writer.title(titleOf(about));
  writer.paragraph(
    'This report could not be generated: its texts are too long, or it took too much time or memory. The "json" folder contains all of its facts, and the "evidence" folder contains the evidence.',
    'strong',
  );
  return writer.end();
}

function writerFor(about: ReportSubject): ReportWriter {
  const { organization, period, madeAt } = about;
  return new ReportWriter({
    title: titleOf(about),
    // The name is last because a long footer is cut off at its end.
    footer: `${period.from} to ${period.until}, states as of ${moment(madeAt)} · ${organization.name}`,
    madeAt: new Date(madeAt),
  });
}

function titleOf({ organization }: ReportSubject): string {
  return `Security evidence report for ${organization.name}`;
}

function writeCover(writer: ReportWriter, facts: PackFacts): void {
  const { organization, period, madeAt, madeBy, matrix } = facts;
  writer.title(titleOf(facts));
  writer.paragraph(
    'Controls of the HIPAA Security Rule (45 CFR Part 164, Subpart C), with their state and evidence',
  );
  writer.paragraph(`Period: ${period.from} to ${period.until} (UTC, inclusive)`);
  writer.paragraph(momentsOf(facts), 'strong');
  writer.paragraph(`Created on ${moment(madeAt)} by ${madeBy} with Parapet`);
  writer.paragraph(`Organization ID: ${organization.id}`, 'muted');
  const { inScope, neverScanned, notAssessed } = countSources(facts.outOfScope);
  const openOf = (...severities: string[]) => {
    const open = facts.open.filter(({ severity }) => severities.includes(severity));
    const total = open.reduce((sum, { findings }) => sum + findings, 0);
    return total === 0 && inScope === notAssessed ? 'Not assessed' : String(total);
  };
  const made = facts.evidence.filter(({ created_at }) => isWithin(period, created_at));
  writer.heading(2, 'Summary');
  writer.table({ Metric: 5, Value: 2 }, [
    ['Controls supported', String(matrix.totals.supported)],
    ['Controls that need attention', String(matrix.totals.attention)],
    ['Controls attested, not proven', String(matrix.totals.attested)],
    ['Controls not assessed', String(matrix.totals.not_assessed)],
    ['Controls attested as not applicable', String(matrix.totals.not_applicable)],
    ['Sources in scope', String(inScope)],
    ['Sources never scanned', String(neverScanned)],
    [`Sources not assessed in the last ${outdatedAfterDays} days`, String(notAssessed)],
    ['Open critical and high findings', openOf('critical', 'high')],
    ['Open medium and low findings', openOf('medium', 'low')],
    ['Attestations in effect during the period', countOf(facts.attestations, shown.attestations)],
    ['Evidence created in the period', String(made.length)],
    ['Evidence of these attestations from other dates', String(facts.evidence.length - made.length)],
    ['Audit log', facts.chain.holds ? 'Hash chain valid' : 'Hash chain broken'],
  ]);
}

/** States the date of control states, which readers could mistake for the end of the period. */
function momentsOf({ period, madeAt }: PackFacts): string {
  const states = `Control and finding states are as of ${moment(madeAt)}`;
  if (period.until < day(madeAt)) return `${states}, not the end of the period.`;
  return `${states}. The period had not ended, so its records stop at that time.`;
}

const isWithin = ({ from, until }: PackFacts['period'], timestamp: string) =>
  day(timestamp) >= from && day(timestamp) <= until;

function writeScope(writer: ReportWriter, { sources, madeAt }: PackFacts): void {
  writer.heading(1, 'Scope and how to read this report');
  writer.paragraph(
    `Control states, open findings and accepted risks are as of ${moment(madeAt)}. Attestations, evidence, scans and the audit log cover the period. Evidence linked to these attestations is included regardless of its date.`,
  );
  writer.paragraph(
    'A control is "supported" if checks showed that the safeguard works on every source in scope, or if it has a current attestation with a document as evidence. A standard with specifications is supported if all applicable specifications are supported. "Needs attention" means an open finding (accepted findings and false positives do not count), an expired attestation or, for a standard, a specification that needs attention. "Attested, not proven" means that a person attested the control without linking a document as evidence or, for a standard, that not all of its specifications are supported. "Not applicable" means that a person attested that the control does not apply, with a reason. All other controls are "not assessed". The absence of findings does not support a control.',
  );
  writer.paragraph(
    `Check results count for ${outdatedAfterDays} days. Much of the rule covers people, buildings and contracts, which scans do not cover. Those controls rely on attestations with evidence. Parapet does not read linked files, so the reader must judge what they prove. This report lists what supports each control. It does not state that the organization meets the rule: that is for the reader to judge.`,
  );
  writer.paragraph(
    'The pack also contains the same facts as JSON, the evidence, and SHA256SUMS with the hash of every file. Each JSON file is as of the time when it was written, which can be minutes after the report. "sha256sum -c SHA256SUMS" detects damaged files. To detect deliberate changes, keep a copy of SHA256SUMS elsewhere.',
  );
  writer.heading(2, 'Sources in scope');
  if (sources.length === 0) {
    writer.paragraph('No sources in scope.');
    return;
  }
  writer.table(
    {
      Source: 4,
      Type: 2,
      Host: 4,
      'Latest result': 3,
      'Checks assessed': 2,
      'Checks not assessed': 2,
      'Outdated results': 2,
    },
    sources
      .slice(0, shown.sources)
      .map(source => [
        source.name,
        source.kind,
        source.host,
        source.looked_at ? moment(source.looked_at) : 'Never',
        String(source.assessed),
        String(source.not_assessed),
        String(source.outdated),
      ]),
  );
  sayMore(writer, sources.length > shown.sources, 'json/controls.json');
}

function countOf(rows: readonly unknown[], limit: number): string {
  return rows.length > limit ? `more than ${limit}` : String(rows.length);
}
