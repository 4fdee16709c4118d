import type { Statement } from './connection.ts';

/**
 * Takes a named lock of an organization until the transaction ends, so that limits and one-time actions also
 * hold under concurrency.
 */
export function organizationLock(
  what: 'evidence' | 'invitations' | 'lost master keys' | 'posture' | 'scans',
  organizationId: string,
): Statement {
  return {
    text: `select pg_advisory_xact_lock(hashtextextended('parapet ${what} ' || $1, 0))`,
    values: [organizationId],
  };
}
