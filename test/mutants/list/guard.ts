import type { Mutant, TestName } from '../mutant.ts';

const sql = 'migrations/0057_reasons_of_the_guard.sql';
const guard = 'src/database/request-guard.ts';
const by = (test: string): TestName => ({ file: 'test/database/request-guard.test.ts', test });

/** The database's decisions about every signed request. */
export const guardMutants: readonly Mutant[] = [
  {
    name: 'A nonce is accepted again',
    file: sql,
    search: 'n.slot in (current_slot, previous_slot)',
    replacement: 'n.slot = -1',
    killedBy: by('admits a nonce once, however often and to whichever node it is sent'),
  },
  {
    name: 'A nonce of the previous period is accepted again',
    file: sql,
    search: 'n.slot in (current_slot, previous_slot)',
    replacement: 'n.slot = current_slot',
    killedBy: by('keeps nonces of the previous period, and empties only the slot that is two periods old'),
  },
  {
    name: 'A nonce twice in a batch is not detected',
    file: sql,
    search: 'when r.turn > 1 or (',
    replacement: 'when (',
    killedBy: by('decides each request of a batch separately, even next to one with a missing key'),
  },
  {
    name: 'A rate-limited request spends no nonce',
    file: sql,
    search: 'from decided where fresh\n  ), counted as',
    replacement: 'from decided where admitted\n  ), counted as',
    killedBy: by('spends the nonce of a request refused for its limit, and does not count it as admitted'),
  },
  {
    name: 'A rate-limited request counts as admitted',
    file: sql,
    search: 'where admitted group by 1, 2, 3, 4',
    replacement: 'where fresh group by 1, 2, 3, 4',
    killedBy: by('counts in a sliding window'),
  },
  {
    name: 'A revoked key is admitted',
    file: sql,
    search: ' when k.revoked_at is not null then -2',
    replacement: '',
    killedBy: by('as soon as it is revoked in the database'),
  },
  {
    name: 'An expired key is admitted',
    file: sql,
    search: ' when k.expires_at <= moment then -3',
    replacement: '',
    killedBy: by('as soon as it is expired in the database'),
  },
  {
    name: 'A key has no limit',
    file: sql,
    search: 'order by position) <= key_room',
    replacement: 'order by position) is not null',
    killedBy: by('counts in a sliding window'),
  },
  {
    name: 'An organization has no limit',
    file: sql,
    search: 'order by position) <= organization_room',
    replacement: 'order by position) is not null',
    killedBy: by('admits exactly 300 of 1,000 simultaneous requests of one organization'),
  },
  {
    name: 'Two nodes decide for an organization at once',
    file: sql,
    search: 'perform pg_advisory_xact_lock(1346982465, lock)',
    replacement: 'perform lock',
    killedBy: by(
      'admits one of two requests for the last place of a minute, decided on two nodes simultaneously',
    ),
  },
  {
    name: 'The guard waits for a locked key',
    file: sql,
    search: 'for no key update of k skip locked',
    replacement: 'for no key update of k',
    killedBy: by('does not wait for a lock on a key: neither for that key’s requests nor for others'),
  },
  {
    name: 'An answer that is too short is trusted',
    file: guard,
    search: 'if (answers.length !== batch.length)',
    replacement: 'if (answers.length > batch.length)',
    killedBy: by('rejects a batch with a missing result'),
  },
  {
    name: 'Requests after a batch of several are decided at once',
    file: guard,
    search: 'if (batch.length > 1 && together >= several)',
    replacement: 'if (together < 0)',
    killedBy: by('decides requests together that come shortly after a batch of several'),
  },
  {
    name: 'A sweep removes nonces of a period that just began',
    file: guard,
    search: ' && (await oldestSlot(client)) === slot',
    replacement: '',
    killedBy: by('keeps the nonces of a period that starts during a sweep'),
  },
  {
    name: 'Nonces are spent at any isolation level',
    file: 'migrations/0014_last_line.sql',
    search: "if current_setting('transaction_isolation') <> 'read committed' then",
    replacement: 'if false then',
    killedBy: {
      file: 'test/database/hostile-defaults.test.ts',
      test: 'refuses to admit at serializable if a pooler dropped the options',
    },
  },
];
