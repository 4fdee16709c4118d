import { auditProblemTexts } from '../../contract/dashboard/audit-problems.ts';
import { type PackFacts, shown } from './facts.ts';
import { day, moment, orDash, sayMore } from './report-words.ts';
import type { ReportWriter } from './report-writer.ts';

export function writeEvidence(writer: ReportWriter, { evidence }: PackFacts): void {
  writer.heading(1, 'Evidence');
  writer.paragraph(
    'Snapshots and files that were made in the period, or are linked to an attestation above, in the folder "evidence". Parapet lets nobody change it, or delete it before the date given.',
  );
  if (evidence.length === 0) {
    writer.paragraph('None was made in the period, and none is linked to an attestation above.');
    return;
  }
  writer.table(
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

export function writeScans(writer: ReportWriter, facts: PackFacts): void {
  writer.heading(1, 'Scans');
  if (facts.scans.length === 0) {
    writer.paragraph('No scan was made in the period.');
    return;
  }
  writer.table(
    [
      { title: 'Status', share: 1 },
      { title: 'Verdict', share: 1 },
      { title: 'Scans', share: 1 },
    ],
    facts.scanCounts.map(({ status, verdict, scans }) => [status, orDash(verdict), String(scans)]),
  );
  writer.heading(2, 'The newest');
  writer.table(
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

export function writeChain(writer: ReportWriter, { chain }: PackFacts): void {
  writer.heading(1, 'Audit log');
  writer.paragraph(
    'Actions that change something in Parapet are entries. The hash of an entry covers its content and the hash before it. The entries of the period are in json/audit-log.jsonl. The owner of the database could rewrite the whole chain with new hashes: compare the hash below with one that was kept elsewhere.',
  );
  writer.paragraph(
    chain.holds
      ? `All ${chain.entries} entries were computed anew on ${moment(chain.verified_at)}: the chain holds.`
      : `The chain holds up to entry ${chain.holds_until} of ${chain.entries}: ${chain.problem && auditProblemTexts[chain.problem]}.`,
    'strong',
  );
  writer.paragraph(`Hash of the last entry: ${chain.head}`, 'muted');
}
