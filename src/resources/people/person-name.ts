/**
 * SQL of a person's name in the records of the transaction's organization: the account's name or, for a person who has
 * left the organization, the name at that time. No log of the organization has later changes, so its records must not
 * change with them. Null for someone who was never a member.
 *
 * @param isPerson condition on a membership `m`
 */
export function nameOfPerson(isPerson: string): string {
  return `(select coalesce(m.former_name, p.name) from memberships m join people p on p.id = m.person_id where ${isPerson})`;
}
