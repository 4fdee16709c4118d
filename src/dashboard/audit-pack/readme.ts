import type { PackFacts } from './facts.ts';

/** Lists the files of the pack. */
export function readme({ organization, period, madeAt, madeBy }: PackFacts): string {
  return `Audit pack for ${organization.name}
Period: ${period.from} to ${period.until} (UTC, inclusive)
Created ${madeAt} by ${madeBy} with Parapet. Each file in json/ is as of the time when it was written, up to minutes later.

report.pdf             The report. Start here.
json/pack.json         Organization, period and author.
json/controls.json     All controls of 45 CFR Part 164, Subpart C, with their state, mapped checks, reasons and passes.
json/out-of-scope.json Sources, checks and informational findings that the report makes no statement about.
json/findings.jsonl    Unresolved findings on sources in scope, one per line.
json/decisions.json    Accepted risks and false positives, with reason, author and expiry.
json/attestations.json Attestations in effect during the period, with their evidence.
json/scans.jsonl       Scans of the period, one per line.
json/evidence.json     Evidence of the period and of its attestations, with full name and path in this pack.
json/audit-log.jsonl   Audit log of the period, newest first, one entry per line.
json/audit-chain.json  Result of verifying the audit log's hash chain.
evidence/              The evidence, each piece in its own folder.
SHA256SUMS             SHA-256 of every file above.

To verify the files: sha256sum -c SHA256SUMS
(macOS: shasum -a 256 -c SHA256SUMS)
This detects damaged files. To detect deliberate changes, keep a copy of SHA256SUMS elsewhere.
`;
}
