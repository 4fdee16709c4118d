import { outdatedAfterDays } from '../../contract/dashboard/outdated.ts';
import { type PackFacts, shown } from './facts.ts';
import { writeAttestations, writeMapping, writeMatrix, writeSupport } from './report-controls.ts';
import { writeChain, writeEvidence, writeScans } from './report-history.ts';
import { writeDecided, writeOpen } from './report-risks.ts';
import { countSources, writeOutOfScope } from './report-scope.ts';
import { day, moment, sayMore } from './report-words.ts';
import { ReportWriter } from './report-writer.ts';

/** Of whom a report is, and of which time. */
export type ReportSubject = Pick<PackFacts, 'organization' | 'period' | 'madeAt'>;

/** Writes the report. It takes seconds without giving way to anything else: see `report-program.ts`. */
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

/** What stands in the report's place where it is more than can be written. */
export async function writeNoReport(about: ReportSubject): Promise<Uint8Array> {
  const writer = writerFor(about);
  writer.title(titleOf(about));
  writer.paragraph(
    'This report could not be written: its texts are too long, or it took too much time or memory. The folder "json" has everything that would be in it, and the folder "evidence" the evidence.',
    'strong',
  );
  return writer.end();
}

function writerFor(about: ReportSubject): ReportWriter {
  const { organization, period, madeAt } = about;
  return new ReportWriter({
    title: titleOf(about),
    // A long name is cut off at its end.
    footer: `${period.from} to ${period.until}, states of ${moment(madeAt)} · ${organization.name}`,
    madeAt: new Date(madeAt),
  });
}

function titleOf({ organization }: ReportSubject): string {
  return `Security evidence of ${organization.name}`;
}

function writeCover(writer: ReportWriter, facts: PackFacts): void {
  const { organization, period, madeAt, madeBy, matrix } = facts;
  writer.title(titleOf(facts));
  writer.paragraph(
    'Controls of the HIPAA Security Rule (45 CFR Part 164, Subpart C) and what is known about them',
  );
  writer.paragraph(`Period: ${period.from} to ${period.until}, both days included, in UTC`);
  writer.paragraph(momentsOf(facts), 'strong');
  writer.paragraph(`Made on ${moment(madeAt)} by ${madeBy}, with Parapet`);
  writer.paragraph(`Organization: ${organization.id}`, 'muted');
  const { inScope, neverScanned, notAssessed } = countSources(facts.outOfScope);
  const openOf = (...severities: string[]) => {
    const open = facts.open.filter(({ severity }) => severities.includes(severity));
    const total = open.reduce((sum, { findings }) => sum + findings, 0);
    return total === 0 && inScope === notAssessed ? 'Not assessed' : String(total);
  };
  const made = facts.evidence.filter(({ created_at }) => isWithin(period, created_at));
  writer.heading(2, 'At a glance');
  writer.table(
    [
      { title: 'What', share: 5 },
      { title: 'How many', share: 2 },
    ],
    [
      ['Controls supported', String(matrix.totals.supported)],
      ['Controls that need attention', String(matrix.totals.attention)],
      ['Controls attested, not proven', String(matrix.totals.attested)],
      ['Controls not assessed', String(matrix.totals.not_assessed)],
      ['Controls that do not apply, as attested', String(matrix.totals.not_applicable)],
      ['Sources in scope', String(inScope)],
      ['Of these, never scanned', String(neverScanned)],
      [`Of these, nothing assessed within ${outdatedAfterDays} days`, String(notAssessed)],
      ['Open findings, critical and high', openOf('critical', 'high')],
      ['Open findings, medium and low', openOf('medium', 'low')],
      ['Attestations in effect in the period', countOf(facts.attestations, shown.attestations)],
      ['Evidence made in the period', String(made.length)],
      ['Evidence of these attestations from another time', String(facts.evidence.length - made.length)],
      ['Audit log', facts.chain.holds ? 'The chain of hashes holds' : 'The chain of hashes is broken'],
    ],
  );
}

/** Of which time what is: a period that is over, or not yet, must not be taken for that of the states. */
function momentsOf({ period, madeAt }: PackFacts): string {
  const states = `States of controls and findings are those of ${moment(madeAt)}`;
  if (period.until < day(madeAt)) return `${states}, not those of the period.`;
  return `${states}. The records of the period end there: it was not over.`;
}

const isWithin = ({ from, until }: PackFacts['period'], timestamp: string) =>
  day(timestamp) >= from && day(timestamp) <= until;

function writeScope(writer: ReportWriter, { sources, madeAt }: PackFacts): void {
  writer.heading(1, 'Scope, and how to read this report');
  writer.paragraph(
    `States of controls, open findings and accepted risks are those of ${moment(madeAt)}. Attestations, evidence, scans and the audit log are those of the period, with the evidence of these attestations whenever it was made.`,
  );
  writer.paragraph(
    'A control is "supported" when checks showed the safeguard working on every source in scope, or when a person attested it until a date to come and linked evidence. A standard with specifications is supported when all of them that apply are. "Attention" means an open finding (one that was accepted or marked as a false positive is none), an expired attestation, or, for a standard, a specification that needs attention. "Attested, not proven" means that a person attested the control, and that no document is linked as evidence, or, for a standard, that its specifications are not all supported. "Does not apply" means that a person attested so, and why. "Not assessed" is everything else. That checks found no problem supports no control.',
  );
  writer.paragraph(
    `The result of a check counts for ${outdatedAfterDays} days. Much of the rule is about people, buildings and contracts, which no scan covers: there, attestations with evidence are all there is. Parapet does not read linked files: what they prove is for the reader to judge. This report says what supports a control. It does not state that the organization meets the rule: that is for its reader to judge.`,
  );
  writer.paragraph(
    'Beside this report are the same facts as JSON, each file as things stood when it was written, which can be minutes after the report; the evidence itself; and SHA256SUMS with the hash of every file. "sha256sum -c SHA256SUMS" finds damaged files; to find deliberate changes, keep SHA256SUMS elsewhere.',
  );
  writer.heading(2, 'Sources in scope');
  if (sources.length === 0) {
    writer.paragraph('No source is in scope.');
    return;
  }
  writer.table(
    [
      { title: 'Source', share: 4 },
      { title: 'Kind', share: 2 },
      { title: 'Host', share: 4 },
      { title: 'Latest result', share: 3 },
      { title: 'Checks assessed', share: 2 },
      { title: 'Checks not assessed', share: 2 },
      { title: 'Results outdated', share: 2 },
    ],
    sources
      .slice(0, shown.sources)
      .map(source => [
        source.name,
        source.kind,
        source.host,
        source.looked_at ? moment(source.looked_at) : 'never',
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
