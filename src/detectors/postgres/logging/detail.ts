import type { PostgresCapture } from '../../../captures/postgres.ts';
import { type DetectionBuilder, quoted } from '../../detection.ts';
import { isOfProvider, providerOf } from '../provider.ts';
import { rowsOf, withSettings } from '../reading.ts';
import { loggingChecks as checks } from './checks.ts';

/** Values with which the log lacks something, and what. */
const lacking: readonly (readonly [setting: string, isFlaw: (value: string) => boolean, what: string])[] = [
  ['log_min_messages', value => /^(?:error|log|fatal|panic)$/.test(value), 'warnings are not logged'],
  ['log_min_messages', value => /^debug/.test(value), 'debug messages bury the others'],
  [
    'log_min_error_statement',
    value => /^(?:log|fatal|panic)$/.test(value),
    'statements with errors are not logged',
  ],
  ['log_error_verbosity', value => value === 'terse', 'details, hints and contexts are not logged'],
  ['log_hostname', value => value === 'on', 'names from reverse DNS are logged'],
];
const ofSyslog: typeof lacking = [
  ['syslog_sequence_numbers', value => value === 'off', 'syslog may drop repeated messages'],
  ['syslog_split_messages', value => value === 'off', 'syslog may cut long messages'],
];

export function detectDetail(found: DetectionBuilder, capture: PostgresCapture): void {
  const check = checks.detail;
  const observe = (rules: typeof lacking) => {
    for (const [setting, isFlaw, what] of rules) {
      withSettings(found, [check], capture, [setting], value => {
        if (isFlaw(value)) found.observe(check, setting, `${setting} is ${quoted(value, 40)}: ${what}.`);
      });
    }
  };
  observe(lacking);
  withSettings(found, [check], capture, ['log_timezone'], zone => {
    if (/^(?:Etc\/)?(?:UTC|UCT|GMT|Universal|Zulu|Greenwich)(?:[+-]?0)?$/.test(zone)) return;
    const seen = `log_timezone is ${quoted(zone, 40)}: hours repeat and are missing when clocks change.`;
    found.observe(check, 'log_timezone', seen, 'info');
  });
  if (providerOf(capture) !== undefined) return;
  withSettings(found, [check], capture, ['log_destination'], destination => {
    if (destination.includes('syslog')) observe(ofSyslog);
  });
}

export function detectReplication(found: DetectionBuilder, capture: PostgresCapture): void {
  const check = checks.replicationCommands;
  const provider = providerOf(capture);
  const roles = rowsOf(found, [check], capture.roles);
  withSettings(found, [check], capture, ['log_replication_commands'], value => {
    if (value !== 'off' || !capture.roles.assessed) return;
    const replicating = roles.find(
      ({ replication, superuser, can_log_in, name }) =>
        replication && !superuser && can_log_in && !isOfProvider(provider, name),
    );
    if (replicating === undefined)
      return found.doesNotApply([check], 'No role besides superusers has REPLICATION.');
    const seen = `log_replication_commands is off, and ${quoted(replicating.name, 80)} has REPLICATION.`;
    found.observe(check, 'log_replication_commands', seen);
  });
}

/** Parts of a time with which a name does not repeat within a year. */
const year = /%(?:-?\d{0,4})[YyGgCcsDFx]/;

/** Of files that the server writes itself. */
export function detectRotation(found: DetectionBuilder, capture: PostgresCapture): void {
  const { rotation, directory } = checks;
  withSettings(found, [rotation], capture, ['log_rotation_age', 'log_rotation_size'], (age, size) => {
    if (age !== '0' || size !== '0') return;
    const seen = 'log_rotation_age and log_rotation_size are 0: the server never starts a new file.';
    found.observe(rotation, 'log_rotation_age', seen);
  });
  const names = ['log_filename', 'log_truncate_on_rotation'];
  withSettings(found, [rotation], capture, names, (name = '', truncates) => {
    if (!/%[^%]/.test(name)) {
      const seen = `log_filename is ${quoted(name, 80)}, without a time: every rotation continues the same file.`;
      found.observe(rotation, 'log_filename', seen);
    } else if (!year.test(name) && truncates === 'off') {
      const seen = `log_filename is ${quoted(name, 80)} and log_truncate_on_rotation off: old and new entries mix in a file.`;
      found.observe(rotation, 'log_truncate_on_rotation', seen);
    }
  });
  withSettings(found, [directory], capture, ['log_directory'], folder => {
    if (folder.startsWith('/') || folder.startsWith('../')) return;
    found.observe(
      directory,
      'log_directory',
      `log_directory is ${quoted(folder, 80)}, in the data directory.`,
    );
  });
}
