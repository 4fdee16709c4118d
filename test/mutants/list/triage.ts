import type { Mutant, TestName } from '../mutant.ts';

const triage = 'src/resources/findings/triage.ts';
const by = (test: string): TestName => ({ file: 'test/resources/triage.test.ts', test });

/** Triage of findings. */
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
];
