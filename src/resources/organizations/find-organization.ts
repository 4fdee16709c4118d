import type pg from 'pg';

/** An organization, as the operator sees it, also while it is being deleted. */
export interface FoundOrganization {
  readonly id: string;
  readonly name: string;
  /** When it was closed. */
  readonly deleted_at: string | null;
  /** Since when its rows are being deleted. */
  readonly erasing_since: string | null;
}

export async function findOrganization(
  owner: pg.ClientBase,
  id: string,
): Promise<FoundOrganization | undefined> {
  const { rows } = await owner.query<FoundOrganization>(
    'select id, name, deleted_at, erasing_since from organizations where id = $1',
    [id],
  );
  return rows[0];
}

/** Addresses of accounts that belong to no organization now: those of a deleted one are among them. */
export async function peopleWithoutOrganization(owner: pg.ClientBase): Promise<string[]> {
  const { rows } = await owner.query<{ email: string }>(
    `select email from people p where email not like '%@parapet.invalid'
      and not exists (select from memberships m where m.person_id = p.id and m.left_at is null) order by 1`,
  );
  return rows.map(({ email }) => email);
}
