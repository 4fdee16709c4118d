import { choice } from './values.ts';

/** How bad a finding is, worst first. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof severities)[number];
export const Severity = choice(severities);
