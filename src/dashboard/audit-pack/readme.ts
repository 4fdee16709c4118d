import type { PackFacts } from './facts.ts';

/** What is in the pack, for whoever opens it. */
export function readme({ organization, period, madeAt, madeBy }: PackFacts): string {
  return `Audit pack of ${organization.name}
Period: ${period.from} to ${period.until} (UTC)
Made on ${madeAt} by ${madeBy}, with Parapet

report.pdf             The report: begin here.
json/pack.json         What this pack is, and of whom.
json/controls.json     Every control of 45 CFR Part 164, Subpart C, with what is behind its state.
json/findings.jsonl    Findings that are not resolved, one a line.
json/decisions.json    Accepted risks and false positives, with reason, by whom and until when.
json/attestations.json Attestations that were in effect in the period.
json/scans.jsonl       Scans of the period, one a line.
json/evidence.json     Evidence of the period: the full name of each, and its path in this pack.
json/audit-log.jsonl   Audit log of the period, newest first, one entry a line.
json/audit-chain.json  What came of computing the audit log's chain of hashes anew.
evidence/              Snapshots and files of the period, each in a folder of its own.
SHA256SUMS             SHA-256 of every file above.

To verify that nothing was changed since: sha256sum -c SHA256SUMS
(macOS: shasum -a 256 -c SHA256SUMS)
`;
}
