import type { Actor } from '../../database/audit.ts';
import type { PeopleStore, PeopleTransaction } from '../../database/people-store.ts';
import { db } from '../../database/query-builder.ts';
import { StorageError } from '../../database/storage-error.ts';
import type { TenantSession, TenantStore } from '../../database/tenant-store.ts';
import type { Account } from './accounts.ts';
import { closeAccount } from './close-account.ts';
import { revokeInvitationsTo } from './invitations.ts';

interface DeletingServices {
  readonly people: PeopleStore;
  readonly tenant: (organizationId: string) => TenantStore;
}

/** What accounts of deleted people are called where no organization has a name of them. */
const nobody = 'Deleted account';

/**
 * Deletes a person's account: sessions, ways to sign in, own views, name and address. The row stays, with an id that records of
 * organizations refer to: these show the name at the time of leaving. Throws `StorageError` while the person is the last owner of an
 * organization.
 *
 * @param actor who deletes it, never the account itself
 */
export async function deletePerson(
  { people, tenant }: DeletingServices,
  account: Account,
  actor: Actor,
): Promise<void> {
  await assertNotLastOwner(people, account);
  // First, since the address leads here only once.
  const memberships = db
    .selectFrom('memberships')
    .select('organization_id')
    .where('person_id', '=', account.id);
  for (const { organization_id } of await people.query(memberships)) {
    await tenant(organization_id).transaction(async transaction => {
      await transaction.query(
        db.deleteFrom('finding_views').where('person_id', '=', account.id).where('shared', '=', false),
      );
      await transaction.query(db.deleteFrom('view_alerts').where('person_id', '=', account.id));
      await transaction.query(db.deleteFrom('notification_settings').where('person_id', '=', account.id));
    });
  }
  await people.transaction(transaction => deleteAccount(transaction, account, actor));
}

async function deleteAccount(transaction: PeopleTransaction, account: Account, actor: Actor): Promise<void> {
  // Owners cannot leave meanwhile.
  await transaction.query({
    text: `select from memberships where role = 'owner' and left_at is null and organization_id in (
      select organization_id from memberships where person_id = $1 and left_at is null) order by organization_id, person_id for update`,
    values: [account.id],
  });
  await assertNotLastOwner(transaction, account);
  await closeAccount(transaction, account.id, actor, { deleted: 'true' });
  await revokeInvitationsTo(transaction, account, actor);
  await transaction.query(db.deleteFrom('sessions').where('person_id', '=', account.id));
  await transaction.query(db.deleteFrom('person_preferences').where('person_id', '=', account.id));
  await transaction.query(db.deleteFrom('idempotent_requests').where('person_id', '=', account.id));
  // After the memberships have ended, which keep the name.
  await transaction.query(db.updateTable('people').set({ name: nobody }).where('id', '=', account.id));
}

/** Throws `StorageError`. */
export async function assertNotLastOwner(session: TenantSession, { id, email }: Account): Promise<void> {
  const rows = await session.query<{ name: string }>({
    text: `select o.name from memberships m join organizations o on o.id = m.organization_id
      where m.person_id = $1 and m.role = 'owner' and m.left_at is null and not exists (
        select from memberships other where other.organization_id = m.organization_id and other.person_id <> $1
          and other.role = 'owner' and other.left_at is null)
      order by 1`,
    values: [id],
  });
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new StorageError(
    `${email} is the last owner of ${names}: make someone else an owner, or delete the organization`,
  );
}
