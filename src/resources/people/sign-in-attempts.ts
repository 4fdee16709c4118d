import { createHash } from 'node:crypto';
import type { PeopleStore } from '../../database/people-store.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { clientNetwork } from '../../domain/client-network.ts';
import { Refusal } from '../../domain/refusal.ts';
import { foldEmail } from './accounts.ts';
import { hashToken } from './sessions.ts';

/** A subject for which attempts are counted, with its delays. */
export interface AttemptSubject {
  /** The parts of its name; only their hash is stored. */
  readonly name: readonly string[];
  /** Attempts without a delay. */
  readonly free: number;
  /** Seconds of the first delay, which doubles with each further attempt. */
  readonly firstWait: number;
  /** Seconds of the longest delay. */
  readonly longestWait: number;
  /** Hours without an attempt after which the count is reset. */
  readonly forgetHours: number;
  /** Whether several people share it: then a success undoes only its own attempt. */
  readonly shared?: true;
  /** What a client can provide instead of waiting. */
  readonly price?: Price;
}

/**
 * A proof of work, optionally with a second factor besides the password. With both, a refusal does not reveal which of
 * the two was wrong, so that guessing the password alone gains nothing: such an attempt is not counted for the subject.
 */
type Price = 'work' | 'work_and_factor';

/** Guesses without a delay: fewer than the six a day that are possible with delays. */
export const freeAttempts = 5;

const quick = { free: freeAttempts, firstWait: 2, longestWait: 900, forgetHours: 1 } as const;

/** A browser with an earlier sign-in to the account: guesses from elsewhere do not count for it. */
export function passwordOnDevice(email: string, deviceToken: string): AttemptSubject {
  return { ...quick, name: ['password on device', foldEmail(email), hashToken(deviceToken).toString('hex')] };
}

/** Guesses of one account's password from one network. */
export function passwordFromNetwork(email: string, address: string): AttemptSubject {
  return { ...quick, name: ['password', foldEmail(email), clientNetwork(address)], price: 'work' };
}

/** Guesses of one account's password from many networks. */
export function passwordFromAnywhere(email: string): AttemptSubject {
  return { ...quick, name: ['account', foldEmail(email)], free: 20, price: 'work' };
}

/** Attempts on any account from one network, with any amount of computation. */
export function anythingFromNetwork(address: string): AttemptSubject {
  const name = ['address', clientNetwork(address)];
  return { ...quick, name, free: 50, shared: true, price: 'work_and_factor' };
}

/**
 * Guesses of an authenticator code by someone with the password. Of a million codes three are valid at a time: six
 * guesses a day find one within a year with a probability of 0.7 %. Known browsers have their own subject; backup codes
 * and passkeys, which cannot be guessed, are not delayed by it.
 */
export function totpOf(personId: string, deviceToken: string | undefined): AttemptSubject {
  const device = deviceToken === undefined ? 'unknown device' : hashToken(deviceToken).toString('hex');
  return { ...totpWaits, name: ['totp', personId, device] };
}

const totpWaits = { free: freeAttempts, firstWait: 2, longestWait: 4 * 3600, forgetHours: 7 * 24 } as const;

/** Guesses for a step-up in one session: other sessions of the person are not delayed by them. */
export function inSession(what: 'password' | 'totp' | 'other', sessionId: string): AttemptSubject {
  return { ...(what === 'totp' ? totpWaits : quick), name: ['session', what, sessionId] };
}

/**
 * Attempts with a backup code or a passkey, which cannot be guessed: this only limits the load on the service. They
 * count only with the correct password or a passkey of the person, and separately for known browsers, so that attackers
 * with neither delay no one.
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
 * Successful sign-ins. Each creates an audit entry and a session, so after many, one a second is possible, or
 * more with a proof of work. Valid credentials are never delayed longer, and known browsers are not delayed by others.
 * All sign-ins of a person are counted together, since each may make a browser known, but separately by credential,
 * since an attacker with the password may not have the passkey.
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

/** Seconds to wait, or 0 if the attempt was counted; and the lowest price that would replace the wait. */
export interface Admission {
  readonly wait: number;
  readonly price: Price | undefined;
}

const admitted: Admission = { wait: 0, price: undefined };

/**
 * The current delay of an attempt, without counting or storing it: a refusal costs neither a password hash nor a row,
 * even for made-up addresses.
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

/** The longest of the delays whose price was not paid. */
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
 * Counts an attempt as failed before it is made, so that simultaneous attempts get no more guesses than sequential
 * ones; `forgetAttempts` undoes this after a success. Counts nothing if there is a delay.
 *
 * @param paid whether a proof of work was given, which replaces the delays with that price
 * @param asked subjects whose delays also apply, without counting the attempt
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
    // Inserting missing rows locks all of them in one order. The time is read after locking: of two simultaneous
    // attempts, the second would otherwise have started before the first set its delay.
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

/** See `admitAttempt`. Throws `too_many_attempts` with the seconds to wait. */
export async function countAttempt(people: PeopleStore, subjects: readonly AttemptSubject[]): Promise<void> {
  const { wait } = await admitAttempt(people, subjects);
  if (wait > 0) throw new Refusal('too_many_attempts', { retry_after_seconds: wait });
}

/** Seconds of the delay after this many failures. */
function waitAfter(failures: number, { free, firstWait, longestWait }: AttemptSubject): number {
  return failures <= free ? 0 : Math.min(longestWait, firstWait * 2 ** (failures - free - 1));
}

/** After a success. Signing in to one's own account must not grant new guesses at others. */
export async function forgetAttempts(people: PeopleStore, subjects: readonly AttemptSubject[]) {
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
