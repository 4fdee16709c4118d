import type { PackFacts } from './facts.ts';

/** Lists the files of the pack. */
export function readme({ organization, period, madeAt, madeBy }: PackFacts): string {
  return `Audit pack of ${organization.name}
Period: ${period.from} to ${period.until} (UTC)
Created ${madeAt} by ${madeBy} with Parapet. Files in json/ are of the moment at which each was written, up to minutes later.

report.pdf             Start with the report.
json/pack.json         The organization, the period and the author.
json/controls.json     Every control of 45 CFR Part 164, Subpart C, its state, and the mapped checks with reasons and passes.
json/out-of-scope.json What the report makes no statement about: sources, checks, informational findings.
json/findings.jsonl    Findings on sources in scope that are not resolved, one a line.
json/decisions.json    Accepted risks and false positives, with reason, by whom and until when.
json/attestations.json Attestations in effect in the period, with their evidence.
json/scans.jsonl       Scans of the period, one a line.
json/evidence.json     Evidence of the period and of its attestations: full name, and path in this pack.
json/audit-log.jsonl   Audit log of the period, newest first, one entry a line.
json/audit-chain.json  Result of verifying the audit log's hash chain.
evidence/              The evidence itself, each piece in its own folder.
SHA256SUMS             SHA-256 of every file above.

To check the files: sha256sum -c SHA256SUMS
(macOS: shasum -a 256 -c SHA256SUMS)
This finds damaged files. To find deliberate changes, keep SHA256SUMS elsewhere.
`;
}
