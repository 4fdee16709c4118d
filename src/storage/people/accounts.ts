import type { AuditEvent } from '../audit.ts';
import type { TenantSession } from '../tenant-store.ts';
import { organizationsOf } from './memberships.ts';
import type { PeopleTransaction } from './people-store.ts';

/** Somebody who can sign in. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Argon2id in the PHC string format; null where the person signs in with a provider only. */
  readonly passwordHash: string | null;
}

const columns = 'id, email, name, password_hash as "passwordHash"';

/** By the address without regard to case. */
export async function findAccount(session: TenantSession, email: string): Promise<Account | undefined> {
  const rows = await session.query<Account>({
    name: 'find-account',
    text: `select ${columns} from people where lower(email) = lower($1)`,
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

/** Undefined where the address has an account. */
export async function createAccount(
  session: TenantSession,
  { email, name, passwordHash }: Omit<Account, 'id'>,
): Promise<string | undefined> {
  const rows = await session.query<{ id: string }>({
    text: `insert into people (email, name, password_hash, password_changed_at)
      values ($1, $2, $3, case when $3::text is not null then now() end)
      on conflict (lower(email)) do nothing returning id`,
    values: [email, name, passwordHash],
  });
  return rows[0]?.id;
}

export async function setPassword(
  transaction: PeopleTransaction,
  personId: string,
  passwordHash: string,
): Promise<void> {
  await transaction.query({
    text: 'update people set password_hash = $2, password_changed_at = now() where id = $1',
    values: [personId, passwordHash],
  });
}

export async function passwordChangedAt(session: TenantSession, personId: string): Promise<string | null> {
  const rows = await session.query<{ password_changed_at: string | null }>({
    text: 'select password_changed_at from people where id = $1',
    values: [personId],
  });
  return rows[0]!.password_changed_at;
}

export async function renameAccount(session: TenantSession, personId: string, name: string): Promise<void> {
  await session.query({ text: 'update people set name = $2 where id = $1', values: [personId, name] });
}

/** What happened to a person's account is an entry in the audit log of every organization that the person belongs to. */
export async function auditAccount(
  transaction: PeopleTransaction,
  actor: Parameters<PeopleTransaction['audit']>[1],
  personId: string,
  event: Pick<AuditEvent, 'action' | 'detail'>,
): Promise<void> {
  const organizations = await organizationsOf(transaction, personId);
  // In one order, since each locks the head of its chain.
  for (const { id } of [...organizations].sort((one, other) => (one.id < other.id ? -1 : 1))) {
    await transaction.audit(id, actor, { ...event, objectKind: 'person', objectId: personId });
  }
}
