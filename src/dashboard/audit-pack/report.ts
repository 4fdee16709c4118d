import type { Readable } from 'node:stream';
import type { Control, ControlMatrix } from '../../contract/dashboard/controls.ts';
import { outdatedAfterDays } from '../../domain/control-states.ts';
import { type PackFacts, shown } from './facts.ts';
import { ReportWriter } from './report-writer.ts';

const stateWords: Readonly<Record<Control['state'], string>> = {
  supported: 'Supported',
  attention: 'Attention',
  not_assessed: 'Not assessed',
};

const moment = (timestamp: string) => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;
const day = (timestamp: string) => timestamp.slice(0, 10);
const orDash = (text: string | null) => text ?? '–';

/** Begins the report and returns it as a stream, which is written to while it is read. Errors are the stream's. */
export function writeReport(facts: PackFacts): Readable {
  const writer = new ReportWriter({
    title: `Security evidence of ${facts.organization.name}`,
    footer: `${facts.organization.name} · ${facts.period.from} to ${facts.period.until}`,
    madeAt: new Date(facts.madeAt),
  });
  writeAll(writer, facts).then(
    () => writer.end(),
    error => writer.stream.destroy(error),
  );
  return writer.stream;
}

async function writeAll(writer: ReportWriter, facts: PackFacts): Promise<void> {
  writeCover(writer, facts);
  await writeScope(writer, facts);
  await writeMatrix(writer, facts.matrix);
  await writeSupport(writer, facts.matrix);
  await writeOpen(writer, facts);
  await writeDecided(writer, facts);
  await writeAttestations(writer, facts);
  await writeEvidence(writer, facts);
  await writeScans(writer, facts);
  writeChain(writer, facts);
}

function writeCover(writer: ReportWriter, { organization, period, madeAt, madeBy }: PackFacts): void {
  writer.title(`Security evidence of ${organization.name}`);
  writer.paragraph(
    'Controls of the HIPAA Security Rule (45 CFR Part 164, Subpart C), and what supports them',
  );
  writer.paragraph(`Period: ${period.from} to ${period.until}, both days included, in UTC`);
  writer.paragraph(`Made on ${moment(madeAt)} by ${madeBy}, with Parapet`);
  writer.paragraph(`Organization: ${organization.id}`, 'muted');
}

async function writeScope(writer: ReportWriter, { sources, madeAt }: PackFacts): Promise<void> {
  writer.heading(1, 'Scope, and how to read this report');
  writer.paragraph(
    `States of controls, open findings and accepted risks are those of ${moment(madeAt)}. Attestations, evidence, scans and the audit log are those of the period.`,
  );
  writer.paragraph(
    'A control is "supported" when automated checks that map to it looked and found nothing open above information, or when a person attested it until a date to come. "Attention" means an open finding, an expired attestation, or, of a standard, a specification that needs attention. "Not assessed" means that nothing is known, or that something could not look.',
  );
  writer.paragraph(
    `A look counts for ${outdatedAfterDays} days. Much of the rule is about people, buildings and contracts, which no scan sees: there, attestations and uploaded files are the evidence. This report says what supports a control. It does not state that the organization meets the rule: that is for its reader to judge.`,
  );
  writer.paragraph(
    'Beside this report are the same facts as JSON, the evidence itself, and SHA256SUMS with the hash of every file: "sha256sum -c SHA256SUMS" verifies them.',
  );
  writer.heading(2, 'Sources that were looked at');
  if (sources.length === 0) {
    writer.paragraph('No source is connected.');
    return;
  }
  await writer.table(
    [
      { title: 'Source', share: 4 },
      { title: 'Kind', share: 2 },
      { title: 'Host', share: 4 },
      { title: 'Last look', share: 3 },
      { title: 'Checks assessed', share: 2 },
      { title: 'Could not look', share: 2 },
    ],
    sources
      .slice(0, shown.sources)
      .map(source => [
        source.name,
        source.kind,
        source.host,
        source.looked_at ? moment(source.looked_at) : 'never',
        String(source.passed.length + source.observed.length),
        String(source.not_assessed.length),
      ]),
  );
  sayMore(writer, sources.length > shown.sources, 'json/controls.json');
}

async function writeMatrix(writer: ReportWriter, { totals, sections }: ControlMatrix): Promise<void> {
  writer.heading(1, 'Matrix of controls');
  writer.paragraph(
    `${totals.supported} supported, ${totals.attention} need attention, ${totals.not_assessed} not assessed.`,
    'strong',
  );
  for (const { citation, title, controls } of sections) {
    writer.heading(2, `${citation} ${title}`);
    await writer.table(
      [
        { title: 'Citation', share: 3 },
        { title: 'Control', share: 7 },
        { title: 'Requirement', share: 2.6 },
        { title: 'State', share: 2.6 },
        { title: 'Open findings', share: 1.8 },
      ],
      controls.map(control => [
        control.citation,
        control.standard ? `  ${control.title}` : `Standard: ${control.title}`,
        control.requirement,
        stateWords[control.state],
        String(control.open),
      ]),
    );
  }
}

async function writeSupport(writer: ReportWriter, { sections }: ControlMatrix): Promise<void> {
  writer.heading(1, 'What is behind each state');
  const known = sections
    .flatMap(({ controls }) => controls)
    .filter(control => control.state !== 'not_assessed' || control.checks > 0);
  await writer.table(
    [
      { title: 'Citation', share: 3 },
      { title: 'State', share: 2.4 },
      { title: 'Why', share: 9 },
      { title: 'Checks that map', share: 1.8 },
    ],
    known.map(control => [
      control.citation,
      stateWords[control.state],
      control.reasons.join(' '),
      String(control.checks),
    ]),
  );
  writer.paragraph('All other controls are not assessed, and no check maps to them.', 'muted');
}

async function writeOpen(writer: ReportWriter, { open }: PackFacts): Promise<void> {
  writer.heading(1, 'Open findings');
  if (open.length === 0) writer.paragraph('No finding above information is open.');
  const severities = [...new Set(open.map(({ severity }) => severity))];
  for (const severity of severities) {
    const risks = open.filter(risk => risk.severity === severity);
    const total = risks.reduce((sum, { findings }) => sum + findings, 0);
    writer.heading(2, `${severity.charAt(0).toUpperCase()}${severity.slice(1)}: ${total}`);
    for (const risk of risks) {
      writer.heading(3, risk.title);
      const findings = `${risk.findings} finding${risk.findings === 1 ? '' : 's'}`;
      const sources = `${risk.sources} source${risk.sources === 1 ? '' : 's'}`;
      writer.paragraph(`${risk.category} · ${findings} on ${sources}`, 'muted');
      writer.paragraph(`To do: ${risk.remediation}`);
      await writer.table(
        [
          { title: 'Source', share: 3 },
          { title: 'What was seen', share: 9 },
        ],
        risk.places.map(({ source, seen }) => [source, seen]),
      );
      sayMore(writer, risk.findings > risk.places.length, 'json/findings.jsonl');
    }
  }
}

async function writeDecided(writer: ReportWriter, { decided }: PackFacts): Promise<void> {
  writer.heading(1, 'Accepted risks and false positives');
  if (decided.length === 0) {
    writer.paragraph('No risk is accepted, and nothing is marked as a false positive.');
    return;
  }
  await writer.table(
    [
      { title: 'Finding', share: 4 },
      { title: 'Severity', share: 1.7 },
      { title: 'Source', share: 2.6 },
      { title: 'Decision', share: 2.6 },
      { title: 'Reason', share: 5 },
      { title: 'By, on', share: 2.6 },
    ],
    decided
      .slice(0, shown.decisions)
      .map(risk => [
        risk.title,
        risk.severity,
        risk.source,
        risk.accepted_until ? `Accepted until ${day(risk.accepted_until)}` : 'False positive',
        orDash(risk.reason),
        `${orDash(risk.decided_by)}, ${day(risk.decided_at)}`,
      ]),
  );
  sayMore(writer, decided.length > shown.decisions, 'json/decisions.json');
}

async function writeAttestations(writer: ReportWriter, { attestations }: PackFacts): Promise<void> {
  writer.heading(1, 'Attestations');
  if (attestations.length === 0) writer.paragraph('No attestation was in effect in the period.');
  for (const attestation of attestations.slice(0, shown.attestations)) {
    writer.heading(2, `${attestation.control}: ${attestation.state}`);
    writer.paragraph(attestation.statement);
    writer.paragraph(
      `By ${orDash(attestation.attested_by)} on ${moment(attestation.attested_at)}, valid until ${day(attestation.valid_until)}.`,
      'muted',
    );
    if (attestation.withdrawn_at) {
      writer.paragraph(
        `Withdrawn by ${orDash(attestation.withdrawn_by)} on ${moment(attestation.withdrawn_at)}: ${attestation.withdrawal_reason}`,
        'muted',
      );
    }
  }
  sayMore(writer, attestations.length > shown.attestations, 'json/attestations.json');
}

async function writeEvidence(writer: ReportWriter, { evidence }: PackFacts): Promise<void> {
  writer.heading(1, 'Evidence');
  writer.paragraph(
    'Snapshots and files of the period, in the folder "evidence". None of it can be changed, and none deleted before the date given.',
  );
  if (evidence.length === 0) {
    writer.paragraph('None was made in the period.');
    return;
  }
  await writer.table(
    [
      { title: 'Name and SHA-256', share: 9 },
      { title: 'Bytes', share: 1.8 },
      { title: 'By, on', share: 3 },
      { title: 'Kept until', share: 2 },
    ],
    evidence
      .slice(0, shown.evidence)
      .map(item => [
        `${item.name}\n${item.sha256}`,
        String(item.bytes),
        `${orDash(item.created_by)}, ${moment(item.created_at)}`,
        day(item.retained_until),
      ]),
  );
  sayMore(writer, evidence.length > shown.evidence, 'json/evidence.json');
}

async function writeScans(writer: ReportWriter, facts: PackFacts): Promise<void> {
  writer.heading(1, 'Scans');
  if (facts.scans.length === 0) {
    writer.paragraph('No scan was made in the period.');
    return;
  }
  await writer.table(
    [
      { title: 'Status', share: 1 },
      { title: 'Verdict', share: 1 },
      { title: 'Scans', share: 1 },
    ],
    facts.scanCounts.map(({ status, verdict, scans }) => [status, orDash(verdict), String(scans)]),
  );
  writer.heading(2, 'The newest');
  await writer.table(
    [
      { title: 'Begun', share: 3 },
      { title: 'Target', share: 5 },
      { title: 'Profile', share: 3 },
      { title: 'Status', share: 2 },
      { title: 'Verdict', share: 2 },
      { title: 'Runs', share: 1.5 },
    ],
    facts.scans.map(scan => [
      moment(scan.created_at),
      scan.target,
      scan.profile,
      scan.status,
      orDash(scan.verdict),
      `${scan.runs_succeeded} of ${scan.runs_planned}`,
    ]),
  );
  const all = facts.scanCounts.reduce((sum, { scans }) => sum + scans, 0);
  sayMore(writer, all > facts.scans.length, 'json/scans.jsonl');
}

function writeChain(writer: ReportWriter, { chain }: PackFacts): void {
  writer.heading(1, 'Audit log');
  writer.paragraph(
    'Every act that changes something is an entry. The hash of an entry covers its content and the hash before it. The entries of the period are in json/audit-log.jsonl.',
  );
  writer.paragraph(
    chain.holds
      ? `All ${chain.entries} entries were computed anew on ${moment(chain.verified_at)}: the chain holds.`
      : `The chain holds up to entry ${chain.holds_until} of ${chain.entries}: ${chain.problem}.`,
    'strong',
  );
  writer.paragraph(`Hash of the last entry: ${chain.head}`, 'muted');
}

function sayMore(writer: ReportWriter, more: boolean, file: string): void {
  if (more) writer.paragraph(`There are more: ${file} has all of them.`, 'muted');
}
