import { type Static, Type } from 'typebox';
import { Severity } from './severity.ts';
import { choice, closed, form, list, page, Timestamp, Uuid } from './values.ts';

export const findingStatuses = ['open', 'resolved', 'accepted', 'false_positive'] as const;
export type FindingStatus = (typeof findingStatuses)[number];

/** A posture issue (specification, section 2), without details of the observation. */
export const Finding = closed({
  id: Uuid,
  severity: Severity,
  category: Type.String({ description: 'ID of the check.' }),
  title: Type.String(),
  remediation: Type.String(),
  status: choice(findingStatuses),
  created_at: Timestamp,
  updated_at: Timestamp,
  system_id: Uuid,
});
export type Finding = Static<typeof Finding>;

export const ListFindingsQuery = closed({
  severity: Type.Optional(Severity),
  status: Type.Optional(choice(findingStatuses)),
  category: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      ...form('^[a-z0-9_]+(\\.[a-z0-9_]+)*$', 'must be a check ID, such as tls.weak_key'),
      description:
        'A category or a dotted prefix (`tls` matches `tls.*`). `hipaa` matches every check that maps to a HIPAA safeguard.',
    }),
  ),
  system_id: Type.Optional(Uuid),
  source_id: Type.Optional(Uuid),
  ...page,
});
export type ListFindingsQuery = Static<typeof ListFindingsQuery>;
export const FindingList = list('findings', Finding);
export const FindingEnvelope = closed({ finding: Finding });
