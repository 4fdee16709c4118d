import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import type { Listed, PostgresCapture, PostgresHbaRule } from '../../captures/postgres.ts';
import type { DetectionBuilder } from '../detection.ts';
import type { Check, Observation } from '../detector.ts';
import { withEscapesEscaped } from '../printable.ts';
import { providerOf } from './provider.ts';

/** A setting's value; not assessed if the capture lacks it. */
export function settingOf({ settings }: PostgresCapture, name: string): Assessment<string> {
  const setting = settings.find(setting => setting.name === name);
  return setting?.value ?? notAssessed(`The setting ${name} was not read.`);
}

/**
 * Passes the values of settings to `judge`. The check is not assessed if one was not read or is set for the
 * database only.
 */
export function withSettings(
  found: DetectionBuilder,
  checks: readonly Check[],
  capture: PostgresCapture,
  names: readonly string[],
  judge: (...values: string[]) => void,
) {
  const values = names.map(name => settingOf(capture, name));
  const missing = values.find(value => !value.assessed);
  if (missing?.assessed === false) return found.cannotAssess(checks, missing.reason);
  judge(...values.map(value => (value.assessed ? value.value : '')));
  // A problem in this database counts. Without one, other databases may still have it.
  const own = names.find(name => isOfDatabase(capture, name));
  if (own !== undefined) {
    found.cannotAssess(checks, `${own} is set for this database; its value in other databases is unknown.`);
  }
}

function isOfDatabase({ overrides, server }: PostgresCapture, name: string): boolean {
  return (
    overrides.assessed &&
    overrides.value.rows.some(
      own => own.name === name && own.role === null && own.database === server.database,
    )
  );
}

/**
 * The rows of a list; none if it was not read. If all rows or those beyond the limit are missing, the checks
 * are not assessed.
 */
export function rowsOf<T>(found: DetectionBuilder, checks: readonly Check[], list: Listed<T>): readonly T[] {
  if (!list.assessed) {
    found.cannotAssess(checks, list.reason);
    return [];
  }
  const { rows, truncated } = list.value;
  if (truncated) found.cannotAssess(checks, `Only ${rows.length} rows were read; the server has more.`);
  return rows;
}

/**
 * The rules of pg_hba.conf. If the file was or may have been changed after the server loaded it, the checks
 * are not assessed, because rules that are no longer in the file may still apply. Managed services load the
 * file themselves.
 */
export function hbaRulesOf(
  found: DetectionBuilder,
  checks: readonly Check[],
  capture: PostgresCapture,
): readonly PostgresHbaRule[] {
  const { hba_rules, hba_changed } = capture;
  const rules = rowsOf(found, checks, hba_rules);
  if (hba_changed.assessed && hba_changed.value) {
    found.cannotAssess(
      checks,
      'pg_hba.conf was changed after the server last loaded it, and other rules are in force: run `select pg_reload_conf();`.',
    );
  } else if (!hba_changed.assessed && providerOf(capture) === undefined) {
    const reason = `Whether the rules of pg_hba.conf are loaded is not known. ${hba_changed.reason}`;
    found.cannotAssess(checks, reason);
  }
  return rules;
}

type Place = Omit<Observation, 'check'>;

/** Places that one check reports; later scans report others once these are fixed. */
const maxPlaces = 50;

/** Observes places in the order of their locators; beyond the limit, the check is not assessed everywhere. */
export function observeEach(found: DetectionBuilder, check: Check, places: readonly Place[]): void {
  const sorted = places.toSorted((a, b) => (a.locator < b.locator ? -1 : 1));
  for (const { locator, seen, severity } of sorted.slice(0, maxPlaces)) {
    found.observe(check, withEscapesEscaped(locator), seen, severity);
  }
  if (places.length > maxPlaces) {
    found.cannotAssess([check], `Only the first ${maxPlaces} of its places are shown, of ${places.length}.`);
  }
}
