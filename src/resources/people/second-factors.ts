import type { TenantSession } from '../../database/tenant-store.ts';

/** SQL: whether the person has set up an authenticator app or a passkey. */
export const factorSetUp = (
  personId: string,
) => `(exists (select from totp_factors t where t.person_id = ${personId} and t.confirmed)
  or exists (select from passkeys k where k.person_id = ${personId}))`;

/** SQL: whether a role in any organization requires the person to have a second factor. */
export const factorAsked = (personId: string) =>
  `exists (select from memberships a where a.person_id = ${personId} and a.left_at is null and a.role <> 'member')`;

/** Changes whenever the person's authenticator app or backup codes are removed or set up again. */
export async function stampOfCodes(session: TenantSession, personId: string): Promise<string> {
  const rows = await session.query<{ stamp: string }>({
    text: `select concat_ws(' ',
        (select extract(epoch from created_at) from totp_factors where person_id = $1 and confirmed),
        (select string_agg(encode(code_hash, 'hex'), ' ' order by code_hash) from backup_codes where person_id = $1)
      ) as stamp`,
    values: [personId],
  });
  return rows[0]!.stamp;
}

/**
 * Whether the person has an authenticator app or a passkey. With the account locked, this does not change until the
 * transaction ends.
 */
export async function hasSecondFactor(session: TenantSession, personId: string): Promise<boolean> {
  const rows = await session.query<{ isSetUp: boolean }>({
    text: `select ${factorSetUp('$1')} as "isSetUp"`,
    values: [personId],
  });
  return rows[0]!.isSetUp;
}

/** Whether a currently committed role of the person requires a second factor. */
export async function isSecondFactorAsked(session: TenantSession, personId: string): Promise<boolean> {
  const rows = await session.query<{ isAsked: boolean }>({
    text: `select ${factorAsked('$1')} as "isAsked"`,
    values: [personId],
  });
  return rows[0]!.isAsked;
}
