/**
 * SQL of the name by which the records of the transaction's organization call a person: the account's, or for a person who has left
 * the organization the one that the account had then. A later change of it is in no log of the organization, and must not change what
 * its records say. Null for somebody who never belonged to it.
 *
 * @param isPerson condition on a membership `m`
 */
export function nameOfPerson(isPerson: string): string {
  return `(select coalesce(m.former_name, p.name) from memberships m join people p on p.id = m.person_id where ${isPerson})`;
}
