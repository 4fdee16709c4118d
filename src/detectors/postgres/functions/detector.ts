import type { PostgresCapture } from '../../../captures/postgres.ts';
import { detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { databaseSubject } from '../database-subject.ts';
import { providerOf } from '../provider.ts';
import { observeEach, rowsOf } from '../reading.ts';
import { functionsChecks as checks } from './checks.ts';

/**
 * Functions that run with their owner's rights. Functions that run with the caller's rights give an attacker
 * nothing new.
 */
export const postgresFunctionsDetector: Detector<PostgresCapture> = {
  name: 'postgres.functions',
  surface: 'postgres',
  checks: Object.values(checks),
  perSubject: databaseSubject(Object.values(checks)),
  detect: detecting((found, capture) => {
    const provider = providerOf(capture);
    const functions = rowsOf(found, Object.values(checks), capture.definer_functions).filter(
      ({ schema }) => !provider?.schemas.includes(schema),
    );
    observeEach(
      found,
      checks.definerPublic,
      functions
        .filter(({ public_may_execute, trigger }) => public_may_execute && !trigger)
        .map(({ signature, owner_is_superuser }) => ({
          locator: signature,
          seen: `PUBLIC may execute ${quoted(signature, 300)}, which runs as ${owner_is_superuser ? 'a superuser' : 'its owner'}.`,
          ...(owner_is_superuser ? { severity: 'high' as const } : {}),
        })),
    );
    const writable = new Set(
      rowsOf(found, [checks.searchPath], capture.schemas)
        .filter(({ public_may_create }) => public_may_create)
        .map(({ name }) => name),
    );
    observeEach(
      found,
      checks.searchPath,
      functions.flatMap(({ signature, search_path_fixed, search_path }) => {
        const what = search_path_fixed ? openSchema(search_path, writable) : 'has no search_path of its own';
        return what === null
          ? []
          : [{ locator: signature, seen: `${quoted(signature, 300)} runs as its owner and ${what}.` }];
      }),
    );
  }),
};

/** A schema of the path in which every role can create objects. */
function openSchema(path: string | null, writable: ReadonlySet<string>): string | null {
  const open = (path ?? '')
    .split(',')
    .map(name => name.trim().replace(/^"|"$/g, ''))
    .find(name => writable.has(name));
  return open === undefined
    ? null
    : `searches the schema ${quoted(open, 80)}, where every role can create objects`;
}
