import { type Static, Type } from 'typebox';
import { choice, closed, Day, NullableTimestamp, nullable, Timestamp, text, Uuid } from '../values.ts';
import { commentLimits, dueDays, findingsAtOnce } from './finding-limits.ts';

const ids = Type.Array(Uuid, { minItems: 1, maxItems: findingsAtOnce, uniqueItems: true });

/** A person with the name that the organization's records have. */
const Person = closed({ id: Uuid, name: Type.String() });

/** Who owns a finding, and until when it is due. */
export const workFields = {
  owner: nullable(Person),
  due_on: Type.Union([Day, Type.Null()], {
    description: 'UTC. Null if it is not open, or the policy has no date for its severity.',
  }),
  due_is_own: Type.Boolean({ description: 'A person set the date. Otherwise, the policy does.' }),
  overdue: Type.Boolean({ description: 'Open, and the date has passed (UTC).' }),
};

const Work = closed({ id: Uuid, ...workFields });
export const ChangedWork = closed({ findings: Type.Array(Work) });
export type ChangedWork = Static<typeof ChangedWork>;

export const AssignFindings = closed({
  ids,
  owner_id: Type.Union([Uuid, Type.Null()], { description: 'A member of the organization; null for none.' }),
});

export const ChangeDueDates = closed({
  ids,
  due_on: Type.Union([Day, Type.Null()], { description: 'UTC. Null for the date of the policy.' }),
});

const body = text(
  commentLimits.length,
  'Plain text. A person is mentioned as `<@ID>`, with the ID of a member, at most 20 in a comment.',
);
export const CommentOnFindings = closed({ ids, body });
export const ChangeComment = closed({ body });

const Comment = closed({
  id: Uuid,
  author: closed({ id: Uuid, name: nullable(Type.String()) }),
  body: Type.String(),
  mentions: Type.Array(Person, { description: 'Also people who have left, with their last name here.' }),
  mine: Type.Boolean(),
  created_at: Timestamp,
  edited_at: NullableTimestamp,
});
export type FindingComment = Static<typeof Comment>;

export const CommentEnvelope = closed({ comment: Comment });
export const CommentedFindings = closed({ commented: Type.Integer({ minimum: 0 }) });

/** A change of the owner or due date. `left`: the owner left the organization. */
const Edit = closed({
  edit: choice(['owner', 'due', 'left'] as const),
  owner: nullable(Person),
  due_on: nullable(Day),
  by: Type.Union([Type.String(), Type.Null()], { description: 'Name of the person; null for the service.' }),
  edited_at: Timestamp,
});

/** What people did about a finding, newest first. */
export const workHistory = { edits: Type.Array(Edit), comments: Type.Array(Comment) };

/** People who can own findings and be mentioned, by name. */
export const FindingPeople = closed({ people: Type.Array(Person) });
export type FindingPerson = Static<typeof Person>;

const Days = nullable(Type.Integer({ minimum: dueDays.least, maximum: dueDays.most }));

/** Days from the start of an episode to its due date, by severity; null for none. Info is never due. */
export const DuePolicy = closed({ critical: Days, high: Days, medium: Days, low: Days });
export type DuePolicy = Static<typeof DuePolicy>;
/** Findings that are overdue now. */
export const overdueFields = {
  overdue: Type.Integer({ minimum: 0, description: 'Open findings past their due date (UTC).' }),
  mine_overdue: Type.Integer({ minimum: 0, description: 'Those that the person owns.' }),
};

export const DuePolicyState = closed({
  policy: DuePolicy,
  ...overdueFields,
});
export type DuePolicyState = Static<typeof DuePolicyState>;
