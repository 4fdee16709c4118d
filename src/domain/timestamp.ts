/** Formats a timestamp for answers: `2026-11-21T08:00:00.000+00:00`. */
export const timestampOf = (time: Date): string => time.toISOString().replace('Z', '+00:00');
