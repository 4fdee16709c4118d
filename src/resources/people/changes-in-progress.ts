import type { TenantSession } from '../../database/tenant-store.ts';

const lockOf = (personId: string) => `parapet changes ${personId}`;

/**
 * Marks a transaction in which the person changes data of an organization, so that the person's permission cannot be
 * removed until it ends. Call before taking any other lock.
 */
export async function holdChanges(session: TenantSession, personId: string): Promise<void> {
  await session.query({
    name: 'hold-changes',
    text: 'select pg_advisory_xact_lock_shared(hashtextextended($1, 0))',
    values: [lockOf(personId)],
  });
}

/**
 * For a transaction that removes a permission of the person: waits for the person's running changes to end, and later
 * ones are refused, so that none commits after the response.
 */
export async function endChanges(session: TenantSession, personId: string): Promise<void> {
  await session.query({
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [lockOf(personId)],
  });
}
