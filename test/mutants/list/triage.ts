import type { Mutant, TestName } from '../mutant.ts';

const triage = 'src/resources/findings/triage.ts';
const by = (test: string): TestName => ({ file: 'test/resources/triage.test.ts', test });

const work = 'src/resources/findings/finding-work.ts';
const comments = 'src/resources/findings/comments.ts';
const byWork = (test: string): TestName => ({ file: 'test/dashboard/finding-work.test.ts', test });

/** Triage of findings, and what people do about them. */
export const triageMutants: readonly Mutant[] = [
  {
    name: 'Triage of one source is not serialized',
    file: triage,
    search: 'order by id for no key update`',
    replacement: 'order by id`',
    killedBy: by('counts the triage of two people on one source simultaneously'),
  },
  {
    name: 'A risk is accepted for any duration',
    file: triage,
    search: 'if (until !== null && !(await isWithinDays(transaction, until, longestAcceptance)))',
    replacement: 'if (until !== null && !(await isWithinDays(transaction, until, 36_600)))',
    killedBy: by('does not accept until a date more than a year away'),
  },
  {
    name: 'A risk is accepted until a past date',
    file: 'src/database/is-within-days.ts',
    search: '$1::timestamptz > now() and ',
    replacement: '',
    killedBy: by('does not accept until a date in the past'),
  },
  {
    name: 'Only some of many findings are triaged',
    file: triage,
    search: '  assertAll(ids, decided);\n',
    replacement: '',
    killedBy: by('triages many findings at once, all or none'),
  },
  {
    name: 'An acceptance never expires',
    file: triage,
    search: "triage = 'accepted' and accepted_until <= now()`",
    replacement: "triage = 'accepted' and accepted_until is null`",
    killedBy: by('accepts until a date, expires, and shows the history with people and reasons'),
  },
  {
    name: 'An acceptance stays valid although the severity increased',
    file: triage,
    search: 'if (ids.length === 0) return;',
    replacement: 'if (ids.length >= 0) return;',
    killedBy: by('reopens a finding whose severity increased since triage, and no other'),
  },
  {
    name: 'Triage does not count in the score',
    file: triage,
    search: '  await recordPosture(transaction, ...sources);\n  transaction.audit(\n',
    replacement: '  transaction.audit(\n',
    killedBy: by('triages many findings at once, all or none'),
  },
  {
    name: 'Anyone can own a finding',
    file: work,
    search: 'if (ownerId !== null && !(await holdMembership(transaction, ownerId)))',
    replacement: 'if (ownerId === "")',
    killedBy: byWork('the owner > is always a member, and no finding of others gets one'),
  },
  {
    name: 'Who leaves keeps findings',
    file: 'migrations/0067_finding_work.sql',
    search: 'update findings set owner_id = null where owner_id = new.person_id returning id',
    replacement: 'select id from findings where owner_id = new.person_id',
    killedBy: byWork(
      'the owner > who leaves owns nothing, also after joining again, and the history says so',
    ),
  },
  {
    name: 'People change the comments of others',
    file: comments,
    search: 'where id = $2 and author_id = $1 returning finding_id`,\n    values: [authorId, id, body],',
    replacement:
      'where id = $2 and $1::uuid is not null returning finding_id`,\n    values: [authorId, id, body],',
    killedBy: byWork('comments > belong to their author, and leave a trace in the audit log'),
  },
  {
    name: 'People delete the comments of others',
    file: comments,
    search: "'delete from finding_comments where id = $2 and author_id = $1 returning finding_id'",
    replacement: "'delete from finding_comments where id = $2 and $1::uuid is not null returning finding_id'",
    killedBy: byWork('comments > belong to their author, and leave a trace in the audit log'),
  },
  {
    name: 'A comment shows its text in another order',
    file: comments,
    search: "text.replaceAll(reordering, '').trim()",
    replacement: 'text.trim()',
    killedBy: byWork('comments > have at most 4,000 characters, and no characters that reorder text'),
  },
];
