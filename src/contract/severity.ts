import { choice } from './values.ts';

/** Most severe first. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof severities)[number];
export const Severity = choice(severities);
