import type { Actor } from '../../database/audit.ts';
import type { PeopleTransaction } from '../../database/people-store.ts';

export interface Organization {
  readonly id: string;
  readonly name: string;
}

/** A new organization, with the first entry of its audit log. */
export async function createOrganization(transaction: PeopleTransaction, name: string, actor: Actor) {
  const rows = await transaction.query<Organization>({
    text: 'insert into organizations (name) values ($1) returning id, name',
    values: [name],
  });
  const organization = rows[0]!;
  transaction.audit(organization.id, actor, {
    action: 'organization.created',
    objectKind: 'organization',
    objectId: organization.id,
    detail: { name },
  });
  return organization;
}
