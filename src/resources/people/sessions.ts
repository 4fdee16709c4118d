import { createHash } from 'node:crypto';
import type { BrowserSession, Role } from '../../contract/dashboard/session.ts';
import { lineOf } from '../../database/people-store.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { factorAsked, factorSetUp } from './second-factors.ts';

/** Session timeouts: minutes without a request, and hours in total (45 CFR 164.312(a)(2)(iii)). */
const idleMinutes = 60;
const longestHours = 24;
/** Minutes for which a step-up is valid. */
const stepUpMinutes = 5;
/** Days for which ended sessions are kept. */
export const keptDays = 90;

/** An open session, with the person's role in the requested organization. */
export interface OpenSession {
  readonly id: string;
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  /** Null if the person is not a member, or no organization was requested. */
  readonly role: Role | null;
  /** Whether a second factor was used in this session. */
  readonly secondFactorGiven: boolean;
  /** Whether the person has set one up. */
  readonly secondFactorSetUp: boolean;
  /** Whether a role in any organization requires one. */
  readonly secondFactorAsked: boolean;
  /** When the step-up with a second factor, or its substitute, expires. */
  readonly steppedUpUntil: string | null;
  readonly hasPassword: boolean;
  /** Whether an account at an OpenID provider is linked. */
  readonly hasIdentity: boolean;
  readonly emailVerified: boolean;
  readonly lastSeenSecondsAgo: number;
  /** See `renewToken`. */
  readonly renewals: number;
  /** See `ConnectionLines`. */
  readonly line: string;
}

/** SQL of a session `s`: whether it is open. */
export const isOpen = `s.ended_at is null and s.expires_at > now() and s.last_seen_at > now() - interval '${idleMinutes} minutes'`;

/**
 * SQL of a session `s`: whether its sign-in is complete, including a second factor if the person has one or a role
 * requires it.
 */
export const isComplete = `(s.second_factor_at is not null
  or not (${factorSetUp('s.person_id')} or ${factorAsked('s.person_id')}))`;

/** Whether it has the form of a token: 32 random bytes in base64url. Other values need no query. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** The SHA-256 of a token, which is stored instead of it. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** A cookie's token, and the organization of the path. */
export interface SessionQuestion {
  readonly token: string;
  readonly organizationId: string | null;
}

/** The session of each token, in the order of the questions; undefined if none is open. */
export async function findSessions(
  session: TenantSession,
  questions: readonly SessionQuestion[],
): Promise<(OpenSession | undefined)[]> {
  const rows = await session.query<OpenSession & { position: number }>({
    name: 'find-sessions',
    text: `select asked.position, s.id, p.id as "personId", p.email, p.name, m.role, s.second_factor_at is not null as "secondFactorGiven",
        ${factorSetUp('p.id')} as "secondFactorSetUp", ${factorAsked('p.id')} as "secondFactorAsked",
        case when s.stepped_up_at > now() - interval '${stepUpMinutes} minutes'
          then s.stepped_up_at + interval '${stepUpMinutes} minutes' end as "steppedUpUntil",
        p.password_hash is not null as "hasPassword", p.email_verified_at is not null as "emailVerified",
        exists (select from person_identities i where i.person_id = p.id) as "hasIdentity",
        extract(epoch from now() - s.last_seen_at)::int as "lastSeenSecondsAgo", s.renewals,
        ${lineOf('p.id')} as line
      from unnest($1::bytea[], $2::uuid[]) with ordinality as asked (token_hash, organization_id, position)
      join sessions s on s.token_hash = asked.token_hash join people p on p.id = s.person_id
      left join memberships m on m.organization_id = asked.organization_id and m.person_id = p.id and m.left_at is null
      where ${isOpen}`,
    values: [
      questions.map(({ token }) => hashToken(token)),
      questions.map(({ organizationId }) => organizationId),
    ],
  });
  const found = new Map(rows.map(({ position, ...row }) => [position, row]));
  return questions.map((_, index) => found.get(index + 1));
}

/** A session with the count of its token renewals, and an organization. */
export interface RoleQuestion {
  readonly sessionId: string;
  /** The session's count when the request was admitted. */
  readonly renewals: number;
  readonly organizationId: string;
}

/**
 * The role of each session whose sign-in is complete: null if its person is not a member, undefined if it is not open
 * or was renewed since, under a token that the caller may not know.
 */
export async function findRoles(
  session: TenantSession,
  questions: readonly RoleQuestion[],
): Promise<(Role | null | undefined)[]> {
  const rows = await session.query<{ position: number; role: Role | null }>({
    name: 'find-roles',
    text: `select asked.position, m.role from unnest($1::uuid[], $2::int[], $3::uuid[]) with ordinality
        as asked (id, renewals, organization_id, position)
      join sessions s on s.id = asked.id and s.renewals = asked.renewals
      left join memberships m on m.organization_id = asked.organization_id and m.person_id = s.person_id and m.left_at is null
      where ${isOpen} and ${isComplete}`,
    values: [
      questions.map(({ sessionId }) => sessionId),
      questions.map(({ renewals }) => renewals),
      questions.map(({ organizationId }) => organizationId),
    ],
  });
  const found = new Map(rows.map(({ position, role }) => [position, role]));
  return questions.map((_, index) => found.get(index + 1));
}

/** Accurate to the minute. Skipped if a transaction has locked the session, since that may take long. */
export async function touchSession(session: TenantSession, id: string): Promise<void> {
  await session.query({
    name: 'touch-session',
    text: `update sessions set last_seen_at = now() where id = (select id from sessions
      where id = $1 and last_seen_at < now() - interval '1 minute' for no key update skip locked)`,
    values: [id],
  });
}

export interface NewSession {
  readonly personId: string;
  readonly token: string;
  readonly address: string;
  readonly userAgent: string;
  /** Whether the password was just entered: without a second factor, that counts as a step-up. */
  readonly fresh?: boolean;
  /** Whether both factors were used. */
  readonly secondFactorGiven?: boolean;
  /** The linked identity that opened it, and the address that the provider asserted. */
  readonly identity?: { readonly issuer: string; readonly subject: string; readonly email: string | null };
}

/** Returns the session's id. */
export async function insertSession(session: TenantSession, input: NewSession): Promise<string> {
  const { issuer, subject, email } = input.identity ?? {};
  const rows = await session.query<{ id: string }>({
    text: `insert into sessions (person_id, token_hash, address, user_agent, expires_at, stepped_up_at,
        second_factor_at, identity_id, vouched_email)
      values ($1, $2, $3, $4, now() + interval '${longestHours} hours', case when $5 then now() end,
        case when $6 then now() end, (select id from person_identities where issuer = $7 and subject = $8), $9)
      returning id`,
    values: [
      input.personId,
      hashToken(input.token),
      input.address,
      input.userAgent.slice(0, 300),
      input.fresh ?? false,
      input.secondFactorGiven ?? false,
      issuer ?? null,
      subject ?? null,
      email ?? null,
    ],
  });
  return rows[0]!.id;
}

/** Stores the WebAuthn challenge that this session may answer within five minutes. */
export async function setChallenge(session: TenantSession, id: string, challenge: string): Promise<void> {
  await session.query({
    text: `update sessions set challenge = $2, challenge_expires_at = now() + interval '5 minutes' where id = $1`,
    values: [id, challenge],
  });
}

/** Reads and deletes the challenge, so that no response to it is accepted twice, on any node. */
export async function takeChallenge(session: TenantSession, id: string): Promise<string | undefined> {
  const rows = await session.query<{ challenge: string }>({
    text: `with taken as (select id, challenge from sessions
        where id = $1 and challenge_expires_at > now() for update), spent as (
        update sessions s set challenge = null, challenge_expires_at = null from taken where s.id = taken.id)
      select challenge from taken where challenge is not null`,
    values: [id],
  });
  return rows[0]?.challenge;
}

/** The current session first, then the 99 most recently used. */
export async function listSessions(session: TenantSession, personId: string, currentId: string) {
  return session.query<BrowserSession>({
    text: `select s.id, s.id = $2 as current, s.address, s.user_agent, s.created_at, s.last_seen_at from sessions s
      where s.person_id = $1 and ${isOpen} order by s.id = $2 desc, s.last_seen_at desc limit 100`,
    values: [personId, currentId],
  });
}

/**
 * Whether the person has an open session other than `ownId` that started at the same time or later; `id` limits it to
 * that one. With the account locked, none starts meanwhile.
 */
export async function hasNewerSession(
  session: TenantSession,
  personId: string,
  ownId: string,
  id: string | null,
): Promise<boolean> {
  const rows = await session.query({
    text: `select from sessions s where person_id = $1 and ${isOpen} and id <> $2 and ($3::uuid is null or id = $3)
      and created_at >= (select created_at from sessions where id = $2) limit 1`,
    values: [personId, ownId, id],
  });
  return rows.length > 0;
}

/** False if the person has no such open session. */
export async function endSession(session: TenantSession, personId: string, id: string): Promise<boolean> {
  const rows = await session.query({
    text: 'update sessions set ended_at = now() where person_id = $1 and id = $2 and ended_at is null returning id',
    values: [personId, id],
  });
  return rows.length > 0;
}

/** Ends all sessions of the person, or all but one. Returns their number. */
export async function endOtherSessions(session: TenantSession, personId: string, exceptId: string | null) {
  const rows = await session.query({
    text: `update sessions set ended_at = now() where person_id = $1 and ended_at is null and id is distinct from $2
      returning id`,
    values: [personId, exceptId],
  });
  return rows.length;
}

/** Ends the sessions that the identity opened, except one. */
export async function endSessionsOf(session: TenantSession, identityId: string, exceptId: string) {
  await session.query({
    text: 'update sessions set ended_at = now() where identity_id = $1 and ended_at is null and id <> $2',
    values: [identityId, exceptId],
  });
}
