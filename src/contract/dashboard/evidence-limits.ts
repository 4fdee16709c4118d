/** Evidence limits per organization. */
export const evidenceLimits = {
  /** Bytes of one file or snapshot. */
  itemBytes: 10 * 1024 * 1024,
  /** Bytes in total. */
  bytes: 2 * 1024 * 1024 * 1024,
  items: 10_000,
  /** Years for which evidence cannot be deleted (45 CFR 164.316(b)(2)(i)). */
  retentionYears: 6,
} as const;
