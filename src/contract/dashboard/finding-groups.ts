import { type Static, Type } from 'typebox';
import { severities } from '../severity.ts';
import { choice, closed, Uuid } from '../values.ts';
import { filters } from './finding-filters.ts';
import { findingsAtOnce } from './finding-limits.ts';

const Count = Type.Integer({ minimum: 0 });

export const GroupFindings = closed({ ...filters, by: choice(['check', 'system']) });

/** The matching findings of a check or a system. */
const Group = closed({
  key: Type.String({ description: 'ID of the check or system.' }),
  title: Type.String(),
  severity: choice(severities, 'The highest.'),
  findings: Count,
  systems: Type.Integer({ minimum: 1 }),
  checks: Type.Integer({ minimum: 1 }),
  overdue: Count,
});
export type FindingGroup = Static<typeof Group>;

/** Groups in a list. */
export const mostGroups = 1_000;
export const FindingGroups = closed({
  groups: Type.Array(Group, { maxItems: mostGroups }),
  has_more: Type.Boolean(),
});
export type FindingGroups = Static<typeof FindingGroups>;

/** The matching findings, to select them together. */
export const FindingIds = closed({
  ids: Type.Array(Uuid, { maxItems: findingsAtOnce }),
  has_more: Type.Boolean(),
});
export type FindingIds = Static<typeof FindingIds>;
