import type { PostgresCapture } from '../../captures/postgres.ts';
import type { Check, Detector } from '../detector.ts';

/** For checks of one database: a different credential may open another database of the same server. */
export function databaseSubject(
  checks: readonly Check[],
): NonNullable<Detector<PostgresCapture>['perSubject']> {
  return {
    checks,
    subjectOf: ({ server }) => ({ at: server.database, covers: [server.database] }),
  };
}
