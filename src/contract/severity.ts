import { type Static, Type } from 'typebox';

/** How bad a finding is, worst first. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;

export const Severity = Type.Union(severities.map(value => Type.Literal(value)));
export type Severity = (typeof severities)[number];
