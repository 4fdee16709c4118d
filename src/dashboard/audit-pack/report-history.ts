import { auditProblemTexts } from '../../contract/dashboard/audit-problems.ts';
import { type PackFacts, shown } from './facts.ts';
import { day, moment, orDash, sayMore } from './report-words.ts';
import type { ReportWriter } from './report-writer.ts';

export function writeEvidence(writer: ReportWriter, { evidence }: PackFacts): void {
  writer.heading(1, 'Evidence');
  writer.paragraph(
    'Snapshots and files created in the period or linked to an attestation above. They are in the "evidence" folder. Parapet does not allow changes to evidence, or its deletion before the "Retained until" date.',
  );
  if (evidence.length === 0) {
    writer.paragraph('No evidence was created in the period or is linked to an attestation above.');
    return;
  }
  writer.table(
    { 'Name and SHA-256': 9, Bytes: 1.8, 'Created by': 3, 'Retained until': 2 },
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

export function writeScans(writer: ReportWriter, facts: PackFacts): void {
  writer.heading(1, 'Scans');
  if (facts.scans.length === 0) {
    writer.paragraph('No scans in the period.');
    return;
  }
  writer.table(
    { Status: 1, Verdict: 1, Scans: 1 },
    facts.scanCounts.map(({ status, verdict, scans }) => [status, orDash(verdict), String(scans)]),
  );
  writer.heading(2, 'Latest scans');
  writer.table(
    { Created: 3, Target: 5, Profile: 3, Status: 2, Verdict: 2, Runs: 1.5 },
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

export function writeChain(writer: ReportWriter, { chain }: PackFacts): void {
  writer.heading(1, 'Audit log');
  writer.paragraph(
    'The audit log records actions that change something in Parapet. The hash of each entry covers its content and the previous hash. Entries of the period are in json/audit-log.jsonl. The database owner could rewrite the whole chain with new hashes: compare the hash below with a copy kept elsewhere.',
  );
  writer.paragraph(
    chain.holds
      ? `The hash chain is valid: all ${chain.entries} entries were verified on ${moment(chain.verified_at)}.`
      : `The hash chain is broken after entry ${chain.holds_until} of ${chain.entries}: ${chain.problem && auditProblemTexts[chain.problem]}.`,
    'strong',
  );
  writer.paragraph(`Hash of the last entry: ${chain.head}`, 'muted');
}
