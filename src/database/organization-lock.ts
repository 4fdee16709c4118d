import type { Statement } from './connection.ts';

/**
 * Locks this for an organization until the transaction ends, so that a limit, or what is done once, also holds for
 * simultaneous requests.
 */
export function organizationLock(
  what: 'evidence' | 'invitations' | 'lost master keys',
  organizationId: string,
): Statement {
  return {
    text: `select pg_advisory_xact_lock(hashtextextended('parapet ${what} ' || $1, 0))`,
    values: [organizationId],
  };
}
