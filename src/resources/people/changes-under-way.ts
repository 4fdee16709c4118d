import type { TenantSession } from '../../database/tenant-store.ts';

const lockOf = (personId: string) => `parapet changes ${personId}`;

/**
 * Within a transaction in which the person changes something of an organization: until it ends, nobody takes away by what they may. Before
 * any other lock.
 */
export async function holdChanges(session: TenantSession, personId: string): Promise<void> {
  await session.query({
    name: 'hold-changes',
    text: 'select pg_advisory_xact_lock_shared(hashtextextended($1, 0))',
    values: [lockOf(personId)],
  });
}

/**
 * Within a transaction that takes away by what the person may change something: what they have under way ends first, and what comes later
 * is refused. So nothing of theirs is committed after the answer.
 */
export async function endChanges(session: TenantSession, personId: string): Promise<void> {
  await session.query({
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [lockOf(personId)],
  });
}
