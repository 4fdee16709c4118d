import type { Assessment } from '../../captures/assessment.ts';
import type { Listed, PostgresCapture, PostgresHbaRule } from '../../captures/postgres.ts';
import type { DetectionBuilder } from '../detection.ts';
import type { Check, Observation } from '../detector.ts';
import { providerOf } from './provider.ts';

/** A setting's value; a setting that the capture does not know is not assessed. */
export function settingOf({ settings }: PostgresCapture, name: string): Assessment<string> {
  return (
    settings.find(setting => setting.name === name)?.value ?? {
      assessed: false,
      reason: `The setting ${name} was not read.`,
    }
  );
}

/**
 * Gives the values of settings to `judge`. Where one of them was not read, or is that of the database alone, the check was not
 * assessed of the server.
 */
export function withSettings(
  found: DetectionBuilder,
  checks: readonly Check[],
  capture: PostgresCapture,
  names: readonly string[],
  judge: (...values: string[]) => void,
): void {
  const values = names.map(name => settingOf(capture, name));
  const missing = values.find(value => !value.assessed);
  if (missing?.assessed === false) {
    found.cannotAssess(checks, missing.reason);
    return;
  }
  judge(...values.map(value => (value.assessed ? value.value : '')));
  // A problem in this database is one. That there is none says nothing of the server.
  const own = names.find(name => isOfDatabase(capture, name));
  if (own !== undefined) {
    found.cannotAssess(checks, `${own} is set for this database: what holds in others was not seen.`);
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
 * The rows of a list, none when it was not read. What is missing, wholly or from the limit on, is said of the checks.
 */
export function rowsOf<T>(found: DetectionBuilder, checks: readonly Check[], list: Listed<T>): readonly T[] {
  if (!list.assessed) {
    found.cannotAssess(checks, list.reason);
    return [];
  }
  const { rows, truncated } = list.value;
  if (truncated) found.cannotAssess(checks, `Only the first ${rows.length} rows were read.`);
  return rows;
}

/**
 * The rules of pg_hba.conf. The file shows what will be in force once it is loaded: of rules that are not in it nothing is known where
 * it was changed since, or may have been. A service changes and loads the file itself.
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

/** Places that one check reports: what comes after them is for the next scan. */
const maxPlaces = 50;

/** Observes places in the order of their locators; says that it has not told all where there are too many. */
export function observeEach(found: DetectionBuilder, check: Check, places: readonly Place[]): void {
  const sorted = places.toSorted((a, b) => (a.locator < b.locator ? -1 : 1));
  for (const { locator, seen, severity } of sorted.slice(0, maxPlaces)) {
    found.observe(check, locator, seen, severity);
  }
  if (places.length > maxPlaces) {
    found.cannotAssess([check], `Only the first ${maxPlaces} of its places are shown, of ${places.length}.`);
  }
}
