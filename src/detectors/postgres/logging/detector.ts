import type { PostgresCapture } from '../../../captures/postgres.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Check, Detector } from '../../detector.ts';
import { providerOf } from '../provider.ts';
import { rowsOf, settingOf, withSettings } from '../reading.ts';
import { loggingChecks as checks } from './checks.ts';
import { detectDetail, detectReplication, detectRotation } from './detail.ts';

const words = (list: string) => list.split(',').map(word => word.trim().toLowerCase());

/** What the server logs, and who may read the log. */
export const postgresLoggingDetector: Detector<PostgresCapture> = {
  name: 'postgres.logging',
  surface: 'postgres',
  checks: Object.values(checks),
  detect: detecting((found, capture) => {
    withSettings(found, [checks.connections], capture, ['log_connections'], value => {
      // A switch up to version 17, then a list of stages. The stage `receipt` does not name the role.
      const telling = ['on', 'all', 'authentication', 'authorization', 'true', 'yes', '1'];
      if (words(value).some(stage => telling.includes(stage))) return;
      found.observe(checks.connections, 'log_connections', `log_connections is ${quoted(value)}.`);
    });
    withSettings(found, [checks.disconnections], capture, ['log_disconnections'], value => {
      if (value === 'off')
        found.observe(checks.disconnections, 'log_disconnections', 'log_disconnections is off.');
    });
    detectStatements(found, capture);
    detectPrefix(found, capture);
    detectFiles(found, capture);
    detectDetail(found, capture);
    detectReplication(found, capture);
    for (const name of ['debug_print_parse', 'debug_print_rewritten', 'debug_print_plan']) {
      withSettings(found, [checks.debugPrint], capture, [name], value => {
        if (value === 'on') found.observe(checks.debugPrint, name, `${name} is on.`);
      });
    }
  }),
};

/** The classes of pgaudit: https://github.com/pgaudit/pgaudit/blob/main/README.md */
const auditClasses = ['read', 'write', 'function', 'role', 'ddl', 'misc', 'misc_set'];

/** The classes that a value of pgaudit.log records: `all, -misc` means all others. */
function recordedBy(value: string): readonly string[] {
  const chosen = words(value);
  return auditClasses.filter(
    name => (chosen.includes(name) || chosen.includes('all')) && !chosen.includes(`-${name}`),
  );
}

/** What pgaudit logs for the server, the database or a role, in lowercase; undefined if it is not loaded. */
function audited(libraries: string, capture: PostgresCapture): readonly string[] | undefined {
  if (!words(libraries).some(library => library === 'pgaudit' || library.endsWith('/pgaudit')))
    return undefined;
  const values = (name: string) => {
    const setting = settingOf(capture, name);
    const { overrides } = capture;
    return [
      ...(setting.assessed ? [setting.value] : []),
      ...(overrides.assessed ? overrides.value.rows : [])
        .filter(own => own.name === name)
        .map(own => own.value),
    ];
  };
  const classes = values('pgaudit.log').flatMap(recordedBy);
  return [...classes, ...(values('pgaudit.role').some(role => role !== '') ? ['objects'] : [])];
}

function detectStatements(found: DetectionBuilder, capture: PostgresCapture): void {
  const { pgaudit, pgauditClasses, statement } = checks;
  const libraries = settingOf(capture, 'shared_preload_libraries');
  const classes = libraries.assessed ? audited(libraries.value, capture) : undefined;
  if (!libraries.assessed) found.cannotAssess([pgaudit, pgauditClasses], libraries.reason);
  else if (classes === undefined) {
    found.doesNotApply([pgauditClasses], 'pgaudit is not loaded.');
    found.observe(pgaudit, 'shared_preload_libraries', 'shared_preload_libraries does not name pgaudit.');
  } else if (classes.length === 0) {
    rowsOf(found, [pgaudit], capture.overrides);
    if (capture.overrides.assessed) {
      found.observe(pgaudit, 'pgaudit.log', 'pgaudit is loaded, but set to record nothing.');
    }
    found.doesNotApply([pgauditClasses], 'pgaudit records nothing.');
  } else {
    rowsOf(found, [pgauditClasses], capture.overrides);
    const missing = ['ddl', 'role'].filter(name => !classes.includes(name));
    if (missing.length > 0 && capture.overrides.assessed)
      found.observe(pgauditClasses, 'pgaudit.log', `pgaudit does not record ${missing.join(' and ')}.`);
  }
  withSettings(found, [statement], capture, ['log_statement'], value => {
    if (value !== 'none') return;
    if (classes?.includes('ddl')) return;
    if (!libraries.assessed)
      found.cannotAssess([statement], `Whether pgaudit records it is unknown. ${libraries.reason}`);
    else found.observe(statement, 'log_statement', 'log_statement is none, and pgaudit does not record ddl.');
  });
}

function detectPrefix(found: DetectionBuilder, capture: PostgresCapture): void {
  const names = ['log_line_prefix', 'log_destination'];
  withSettings(found, [checks.linePrefix], capture, names, (prefix, destination = '') => {
    const destinations = words(destination);
    if (destinations.includes('csvlog') || destinations.includes('jsonlog')) return;
    // syslog adds the time and the process.
    const byServer = destinations.includes('stderr') || destinations.includes('');
    const wanted: [string, string][] = [
      ...(byServer
        ? ([
            ['mtn', 'time'],
            ['pc', 'process'],
          ] as [string, string][])
        : []),
      ['u', 'role'],
      ['d', 'database'],
    ];
    // An escape may have a width between its sign and its letter: `%-10u`.
    const escapes = new Set(
      [...(prefix ?? '').matchAll(/%(?:%|-?\d{0,4}([a-zA-Z]))/g)].map(match => match[1]),
    );
    const missing = wanted.filter(([letters]) => ![...letters].some(letter => escapes.has(letter)));
    if (missing.length === 0) return;
    found.observe(
      checks.linePrefix,
      'log_line_prefix',
      `log_line_prefix is ${quoted(prefix ?? '')}: it lacks ${missing.map(([, what]) => what).join(', ')}.`,
    );
  });
}

function detectFiles(found: DetectionBuilder, capture: PostgresCapture) {
  const { collector: collecting, fileMode, rotation, directory } = checks;
  const ofFiles: readonly Check[] = [collecting, fileMode, rotation, directory];
  const provider = providerOf(capture);
  if (!capture.roles.assessed)
    return found.cannotAssess(
      ofFiles,
      `Whether a service runs the server is unknown. ${capture.roles.reason}`,
    );
  if (provider !== undefined) return found.doesNotApply(ofFiles, `${provider.name} keeps the server’s log.`);
  withSettings(
    found,
    ofFiles,
    capture,
    ['logging_collector', 'log_destination'],
    (collector, destination = '') => {
      if (collector !== 'on') {
        found.doesNotApply([fileMode, rotation, directory], 'The server writes no log files itself.');
        const lost = words(destination).filter(format => format === 'csvlog' || format === 'jsonlog');
        if (lost.length > 0) {
          const seen = `log_destination names ${lost.join(' and ')}, which needs logging_collector, and that is off.`;
          found.observe(checks.collector, 'logging_collector', seen);
        } else if (words(destination).includes('stderr')) {
          // Under systemd, Debian's scripts and in containers, another program stores the log, or should.
          const seen = 'logging_collector is off: standard error is stored only if another program does it.';
          found.observe(checks.collector, 'logging_collector', seen, 'info');
        }
        return;
      }
      detectRotation(found, capture);
      withSettings(found, [checks.fileMode], capture, ['log_file_mode'], mode => {
        if (!/^0?[0-7]{1,3}[1-7]$/.test(mode)) return;
        found.observe(checks.fileMode, 'log_file_mode', `log_file_mode is ${quoted(mode)}.`);
      });
    },
  );
}
