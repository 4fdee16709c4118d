import type { PostgresCapture } from '../../captures/postgres.ts';
import type { Check, Detector } from '../detector.ts';

/** For checks of the database that the credential names: another credential may name another of the same server. */
export function databaseSubject(
  checks: readonly Check[],
): NonNullable<Detector<PostgresCapture>['perSubject']> {
  return {
    checks,
    subjectOf: ({ server }) => ({ at: server.database, covers: [server.database] }),
  };
}
