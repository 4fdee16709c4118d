/** Problems of an audit chain. Each text follows "entry 5: ". */
export const auditProblemTexts = {
  entry_altered: 'an entry was altered',
  out_of_sequence: 'an entry is missing or out of order',
  head_mismatch: 'entries at the end are missing',
  head_missing: 'the record of the last entry is missing',
  log_missing: 'the log is missing',
} as const;
export type AuditProblem = keyof typeof auditProblemTexts;
