import { createHash } from 'node:crypto';
import type { PeopleStore } from '../../database/people-store.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { clientNetwork } from '../../domain/client-network.ts';
import { Refusal } from '../../domain/refusal.ts';
import { foldEmail } from './accounts.ts';
import { hashToken } from './sessions.ts';

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
  /** Hours without an attempt that forget all before. */
  readonly forgetHours: number;
  /** Whether it is several people's: the success of one takes back that one attempt only. */
  readonly shared?: true;
  /** What takes the place of the wait. */
  readonly price?: Price;
}

/**
 * A proof of work; or that and a second factor beside the password. A wrong answer then does not tell which of the two was wrong, so
 * that who guesses the password alone learns nothing by it: such an attempt is not counted for the subject at all.
 */
type Price = 'work' | 'work_and_factor';

/** Guesses without a wait: fewer a day than the six that are made by waiting. */
export const freeAttempts = 5;

const quick = { free: freeAttempts, firstWait: 2, longestWait: 900, forgetHours: 1 } as const;

/** A browser in which the account was signed in to: nobody else's guesses count for it. */
export function passwordOnDevice(email: string, deviceToken: string): AttemptSubject {
  return { ...quick, name: ['password on device', foldEmail(email), hashToken(deviceToken).toString('hex')] };
}

/** Who guesses one account's password from one network. */
export function passwordFromNetwork(email: string, address: string): AttemptSubject {
  return { ...quick, name: ['password', foldEmail(email), clientNetwork(address)], price: 'work' };
}

/** Who guesses one account's password from many networks. */
export function passwordFromAnywhere(email: string): AttemptSubject {
  return { ...quick, name: ['account', foldEmail(email)], free: 20, price: 'work' };
}

/** Who tries any accounts from one network, however much they compute. */
export function anythingFromNetwork(address: string): AttemptSubject {
  const name = ['address', clientNetwork(address)];
  return { ...quick, name, free: 50, shared: true, price: 'work_and_factor' };
}

/**
 * Who has the password and guesses a code of the authenticator app. Of a million codes three are right at a time: six guesses
 * a day find one within a year with a probability of 0.7 %. Browsers that are known have their own, and backup codes and
 * passkeys, which nobody guesses, do not wait for it.
 */
export function totpOf(personId: string, deviceToken: string | undefined): AttemptSubject {
  const device = deviceToken === undefined ? 'unknown device' : hashToken(deviceToken).toString('hex');
  return { ...totpWaits, name: ['totp', personId, device] };
}

const totpWaits = { free: freeAttempts, firstWait: 2, longestWait: 4 * 3600, forgetHours: 7 * 24 } as const;

/** Who has a session and guesses what would step it up: other sessions of the person do not wait for it. */
export function inSession(what: 'password' | 'totp' | 'other', sessionId: string): AttemptSubject {
  return { ...(what === 'totp' ? totpWaits : quick), name: ['session', what, sessionId] };
}

/**
 * A backup code, or a passkey: it cannot be guessed, so this only keeps the service from being kept busy. Counted for who has given
 * the password or named a passkey of the person, and for known browsers apart: nobody waits for those who have neither.
 */
export function unguessableOf(
  personId: string,
  address: string,
  deviceToken: string | undefined,
): AttemptSubject {
  const origin = deviceToken === undefined ? clientNetwork(address) : hashToken(deviceToken).toString('hex');
  return { ...quick, name: ['unguessable', personId, origin], free: 50 };
}

/**
 * Sign-ins that were right, each of which is an entry of an audit log and a session: after many, one a second, or for a proof of
 * work. Nobody who has what it takes waits longer, and known browsers do not wait for others. Those of one person are counted
 * together, since each sign-in may make one known; apart by what was proven, since who has the password may not have the passkey.
 */
export function rightSignIn(
  by: 'password' | 'passkey' | 'provider',
  personId: string,
  address: string,
  deviceToken: string | undefined,
): AttemptSubject {
  const waits = { free: 60, firstWait: 1, longestWait: 1, forgetHours: 1 };
  const browser = deviceToken === undefined ? 'unknown' : 'known';
  return { ...waits, name: ['right sign-in', by, personId, browser, clientNetwork(address)], price: 'work' };
}

interface AttemptRow {
  readonly subject: Buffer;
  readonly failures: number;
  readonly wait: number;
}

/** Seconds to wait, or 0 where the attempt was counted; and the least that would take the place of the wait. */
export interface Admission {
  readonly wait: number;
  readonly price: Price | undefined;
}

const admitted: Admission = { wait: 0, price: undefined };

/**
 * What an attempt would have to wait now, without counting it or keeping anything: who is refused by this costs neither a
 * password's hash nor a row, whatever address they make up.
 */
export async function standingWait(
  people: TenantSession,
  subjects: readonly AttemptSubject[],
  paid: boolean,
): Promise<Admission> {
  const hashes = subjects.map(hashOf);
  const rows = await people.query<Omit<AttemptRow, 'failures'>>({
    name: 'standing-wait',
    text: `select subject, ceil(extract(epoch from blocked_until - clock_timestamp()))::int as wait from sign_in_attempts
      where subject = any($1) and blocked_until > clock_timestamp()`,
    values: [hashes],
  });
  return admissionOf(rows, subjects, hashes, paid);
}

/** The longest of the waits, but for those whose price was paid. */
function admissionOf(
  rows: readonly Omit<AttemptRow, 'failures'>[],
  subjects: readonly AttemptSubject[],
  hashes: readonly Buffer[],
  paid: boolean,
): Admission {
  const waitBehind = (...prices: Price[]) => {
    const left = rows.filter(row => {
      const { price } = subjects[hashes.findIndex(hash => hash.equals(row.subject))]!;
      return price === undefined || !prices.includes(price);
    });
    return Math.max(0, ...left.map(row => row.wait));
  };
  const wait = paid ? waitBehind('work') : waitBehind();
  if (wait === 0) return admitted;
  if (waitBehind('work') === 0) return { wait, price: 'work' };
  return { wait, price: waitBehind('work', 'work_and_factor') === 0 ? 'work_and_factor' : undefined };
}

/**
 * Counts an attempt as failed before it is made, so that many at once get no more guesses than one after another;
 * `forgetAttempts` takes it back where it succeeded. Counts nothing where it has to wait.
 *
 * @param paid whether a proof of work was given, which takes the place of those waits whose price it is
 * @param asked subjects whose waits hold too, and for which it is not counted
 */
export async function admitAttempt(
  people: PeopleStore,
  subjects: readonly AttemptSubject[],
  paid = false,
  asked: readonly AttemptSubject[] = [],
): Promise<Admission> {
  return people.transaction(async transaction => {
    const other = asked.length > 0 ? await standingWait(transaction, asked, paid) : admitted;
    if (other.wait > 0) return other;
    const hashes = subjects.map(hashOf);
    // Inserting what is missing locks every row, in one order. The time is read behind the locks: of two who come at once,
    // the second has begun before the first has set a wait.
    const rows = await transaction.query<AttemptRow>({
      text: `insert into sign_in_attempts as a (subject, failures, blocked_until, last_attempt_at)
        select s, 0, '-infinity', now() from unnest($1::bytea[]) as s order by s
        on conflict (subject) do update set failures = case
          when a.last_attempt_at < now() - make_interval(hours =>
            ($2::int[])[array_position($1::bytea[], excluded.subject)]) then 0 else a.failures end
        returning subject, failures, case when blocked_until > clock_timestamp()
          then ceil(extract(epoch from blocked_until - clock_timestamp())) else 0 end::int as wait`,
      values: [hashes, subjects.map(subject => subject.forgetHours)],
    });
    const standing = admissionOf(rows, subjects, hashes, paid);
    if (standing.wait > 0) return standing;
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
    return admitted;
  });
}

/** As `admitAttempt`. Throws `too_many_attempts` with the seconds to wait. */
export async function countAttempt(people: PeopleStore, subjects: readonly AttemptSubject[]): Promise<void> {
  const { wait } = await admitAttempt(people, subjects);
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
