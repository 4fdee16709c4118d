import type { AuditEvent } from '../../database/audit.ts';
import { now } from '../../database/expressions.ts';
import type { PeopleTransaction } from '../../database/people-store.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import { forgetDevices } from './known-devices.ts';
import { organizationsOf } from './memberships.ts';
import { removeLinks } from './one-time-links.ts';

/** A person who can sign in. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Argon2id in the PHC string format; null if the person signs in only with a provider. */
  readonly passwordHash: string | null;
  /** Whether the address is verified: see `docs/decisions/0010-proven-addresses.md`. */
  readonly emailVerified: boolean;
}

const columns =
  'id, email, name, password_hash as "passwordHash", email_verified_at is not null as "emailVerified"';

/** SQL of an email address for comparisons: ASCII letters in lowercase, all other characters unchanged. */
export function foldedEmail(expression: string): string {
  return `lower(${expression} collate "C")`;
}

/** An email address for comparisons, as in `foldedEmail`. */
export function foldEmail(email: string): string {
  return email.replaceAll(/[A-Z]+/g, letters => letters.toLowerCase());
}

/** Finds the account by its address, ignoring case. */
export async function findAccount(session: TenantSession, email: string): Promise<Account | undefined> {
  const rows = await session.query<Account>({
    name: 'find-account',
    text: `select ${columns} from people where ${foldedEmail('email')} = ${foldedEmail('$1')}`,
    values: [email],
  });
  return rows[0];
}

export async function findAccountById(session: TenantSession, id: string): Promise<Account | undefined> {
  const rows = await session.query<Account>({
    text: `select ${columns} from people where id = $1`,
    values: [id],
  });
  return rows[0];
}

/**
 * The account, locked until the transaction ends. Whatever closes an account, changes how it is opened or ends its
 * sessions locks it first, so that a simultaneous sign-in is either ended by the change or sees it.
 */
export async function lockAccount(transaction: PeopleTransaction, id: string): Promise<Account | undefined> {
  const rows = await transaction.query<Account>({
    text: `select ${columns} from people where id = $1 for no key update`,
    values: [id],
  });
  return rows[0];
}

/** Undefined if the address has an account. */
export async function createAccount(
  session: TenantSession,
  {
    id,
    email,
    name,
    passwordHash,
    emailVerified = false,
    invitedBy = null,
  }: Omit<Account, 'id' | 'emailVerified'> & {
    readonly id?: string | undefined;
    readonly emailVerified?: boolean;
    /** The organization that invited the new account. */
    readonly invitedBy?: string | null;
  },
): Promise<string | undefined> {
  const rows = await session.query<{ id: string }>({
    text: `insert into people (id, email, name, password_hash, password_changed_at, email_verified_at, invited_by)
      values (coalesce($5::uuid, gen_random_uuid()), $1, $2, $3, case when $3::text is not null then now() end,
        case when $4 then now() end, $6)
      on conflict (${foldedEmail('email')}) do nothing returning id`,
    values: [email, name, passwordHash, emailVerified, id ?? null, invitedBy],
  });
  return rows[0]?.id;
}

/** Also invalidates password links and known browsers, which relied on the previous password. */
export async function setPassword(transaction: PeopleTransaction, personId: string, passwordHash: string) {
  await lockAccount(transaction, personId);
  await removeLinks(transaction, personId);
  await forgetDevices(transaction, personId);
  const change = { password_hash: passwordHash, password_changed_at: now };
  await transaction.query(db.updateTable('people').set(change).where('id', '=', personId));
}

export async function passwordChangedAt(session: TenantSession, personId: string): Promise<string | null> {
  const person = db.selectFrom('people').select('password_changed_at').where('id', '=', personId);
  return (await session.query(person))[0]!.password_changed_at;
}

export async function renameAccount(session: TenantSession, personId: string, name: string): Promise<void> {
  await session.query(db.updateTable('people').set({ name }).where('id', '=', personId));
}

/** Adds an entry to the audit log of every organization of the person. */
export async function auditAccount(
  transaction: PeopleTransaction,
  actor: Parameters<PeopleTransaction['audit']>[1],
  personId: string,
  event: Pick<AuditEvent, 'action' | 'detail'>,
): Promise<void> {
  for (const { id } of await organizationsOf(transaction, personId)) {
    transaction.audit(id, actor, { ...event, objectKind: 'person', objectId: personId });
  }
}
