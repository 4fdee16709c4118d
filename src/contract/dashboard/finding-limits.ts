/** Findings of one request. */
export const findingsAtOnce = 500;

/** Maximum lengths and numbers of comments. */
export const commentLimits = { length: 4_000, mentions: 20, ofFinding: 500 } as const;

/** Days that a due date can be away by the policy. */
export const dueDays = { least: 1, most: 730 } as const;
