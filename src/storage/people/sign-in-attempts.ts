import { createHash } from 'node:crypto';
import { Refusal } from '../../domain/refusal.ts';
import type { PeopleStore } from './people-store.ts';

/** What attempts are counted for, and how soon and how long they have to wait. */
export interface AttemptSubject {
  /** Parts that name it; only a hash of them is kept. */
  readonly name: readonly string[];
  /** Attempts without a wait. */
  readonly free: number;
  /** Seconds of the first wait; each further one is twice as long. */
  readonly firstWait: number;
  /** Seconds of the longest wait. */
  readonly longestWait: number;
  /** Whether it is several people's: the success of one takes back that one attempt only. */
  readonly shared?: true;
}

/** Who guesses one account's password from one place. */
export function passwordFromAddress(email: string, address: string): AttemptSubject {
  return {
    name: ['password', email.toLowerCase(), networkOf(address)],
    free: 5,
    firstWait: 2,
    longestWait: 900,
  };
}

/**
 * Who guesses one account's password from many places. The wait is short: nobody can keep its owner out for long, who
 * besides does not wait for it where the account was signed in from before.
 */
export function passwordFromAnywhere(email: string): AttemptSubject {
  return { name: ['account', email.toLowerCase()], free: 20, firstWait: 1, longestWait: 30 };
}

/** Who tries many accounts from one place. */
export function anythingFromAddress(address: string): AttemptSubject {
  return { name: ['address', networkOf(address)], free: 50, firstWait: 2, longestWait: 900, shared: true };
}

/** Who has the password and guesses the second factor. */
export function secondFactorOf(personId: string): AttemptSubject {
  return { name: ['second factor', personId], free: 5, firstWait: 2, longestWait: 900 };
}

/** An IPv6 customer has a /64: its addresses are one place. */
function networkOf(address: string): string {
  return address.includes(':') && !address.startsWith('::ffff:')
    ? address.split(':').slice(0, 4).join(':')
    : address;
}

interface AttemptRow {
  readonly subject: Buffer;
  readonly failures: number;
  readonly wait: number;
}

/**
 * Counts an attempt as failed before it is made, so that many at once get no more guesses than one after another;
 * `forgetAttempts` takes it back where it succeeded. Throws `too_many_attempts` with the seconds to wait, and then counts
 * nothing. An hour without an attempt forgets all.
 */
export async function countAttempt(people: PeopleStore, subjects: readonly AttemptSubject[]): Promise<void> {
  const wait = await people.transaction(async transaction => {
    const hashes = subjects.map(hashOf);
    // Inserting what is missing locks every row, in one order. The time is read behind the locks: of two who come at once,
    // the second has begun before the first has set a wait.
    const rows = await transaction.query<AttemptRow>({
      text: `insert into sign_in_attempts as a (subject, failures, blocked_until, last_attempt_at)
        select s, 0, '-infinity', now() from unnest($1::bytea[]) as s order by s
        on conflict (subject) do update set
          failures = case when a.last_attempt_at < now() - interval '1 hour' then 0 else a.failures end
        returning subject, failures, case when blocked_until > clock_timestamp()
          then ceil(extract(epoch from blocked_until - clock_timestamp())) else 0 end::int as wait`,
      values: [hashes],
    });
    const longest = Math.max(0, ...rows.map(row => row.wait));
    if (longest > 0) return longest;
    const failures = (hash: Buffer) => 1 + (rows.find(row => row.subject.equals(hash))?.failures ?? 0);
    await transaction.query({
      text: `update sign_in_attempts a set failures = f.failures, last_attempt_at = clock_timestamp(),
          blocked_until = case when f.wait > 0 then clock_timestamp() + make_interval(secs => f.wait)
            else '-infinity' end
        from unnest($1::bytea[], $2::int[], $3::float8[]) as f (subject, failures, wait) where a.subject = f.subject`,
      values: [
        hashes,
        hashes.map(failures),
        subjects.map((subject, index) => waitAfter(failures(hashes[index]!), subject)),
      ],
    });
    return 0;
  });
  if (wait > 0) throw new Refusal('too_many_attempts', { retry_after_seconds: wait });
}

/** Seconds to wait after so many failures. */
function waitAfter(failures: number, { free, firstWait, longestWait }: AttemptSubject): number {
  return failures <= free ? 0 : Math.min(longestWait, firstWait * 2 ** (failures - free - 1));
}

/** After a success. Who signs in to an account of their own does not thereby get new guesses at those of others. */
export async function forgetAttempts(
  people: PeopleStore,
  subjects: readonly AttemptSubject[],
): Promise<void> {
  await people.query({
    // Locked in the order in which attempts are counted.
    text: `with held as (
        select subject from sign_in_attempts where subject = any($1) order by subject for update
      ), taken_back as (
        update sign_in_attempts a set failures = failures - 1, blocked_until = '-infinity'
        from held where a.subject = held.subject and held.subject = any($2))
      delete from sign_in_attempts a using held where a.subject = held.subject and held.subject <> all($2)`,
    values: [subjects.map(hashOf), subjects.filter(({ shared }) => shared).map(hashOf)],
  });
}

function hashOf({ name }: AttemptSubject): Buffer {
  return createHash('sha256').update(JSON.stringify(name)).digest();
}
