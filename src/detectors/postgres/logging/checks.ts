import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { managed, docs as page, setAtRestart, setParameters, sql } from '../fix.ts';

const unrecorded = lowers(safeguards.auditControls, 'Activity that is not recorded cannot be examined.');
const unreviewable = lowers(safeguards.activityReview, 'There is no record of this activity to review.');

const docs = (setting: string) =>
  page(`runtime-config-logging.html#GUC-${setting.toUpperCase().replaceAll('_', '-')}`);

export const loggingChecks = {
  connections: {
    id: 'postgres.log_connections_off',
    title: 'Connections are not logged',
    severity: 'low',
    why: 'After an incident, there is no record of who was connected, when and from where.',
    fix: {
      advice: `Turn connection logging on. ${managed}`,
      steps: [setParameters({ log_connections: 'on' })],
    },
    references: [docs('log_connections')],
    safeguards: [
      unrecorded,
      unreviewable,
      lowers(safeguards.logInMonitoring, 'Sign-ins that are not recorded cannot be monitored.'),
    ],
  },
  disconnections: {
    id: 'postgres.log_disconnections_off',
    title: 'Disconnections are not logged',
    severity: 'low',
    why: 'The log does not show when a session ended and how long it lasted.',
    fix: {
      advice: `Turn disconnection logging on. ${managed}`,
      steps: [setParameters({ log_disconnections: 'on' })],
    },
    references: [docs('log_disconnections')],
    safeguards: [unrecorded],
  },
  statement: {
    id: 'postgres.log_statement_none',
    title: 'Schema changes are not logged',
    severity: 'low',
    why: 'There is no record of who created tables, dropped policies or granted privileges.',
    fix: {
      advice: `Log DDL statements. Do not use \`all\` where statements contain health information: the log would contain it too. pgaudit with \`pgaudit.log = 'ddl, role'\` also resolves this. ${managed}`,
      steps: [setParameters({ log_statement: 'ddl' })],
    },
    references: [docs('log_statement')],
    safeguards: [unrecorded, unreviewable],
  },
  linePrefix: {
    id: 'postgres.log_line_prefix_incomplete',
    title: 'Log lines do not show who did what when',
    severity: 'low',
    why: 'A line without time, process, role and database cannot be attributed to anyone.',
    fix: {
      advice: `Log the time (%m), process (%p), role (%u), database (%d) and client (%h) on each line. The formats csvlog and jsonlog include them anyway. ${managed}`,
      steps: [setParameters({ log_line_prefix: '%m [%p] %q%u@%d %h ' })],
    },
    references: [docs('log_line_prefix')],
    safeguards: [
      lowers(safeguards.auditControls, 'A log line without time and role cannot be attributed to anyone.'),
    ],
  },
  collector: {
    id: 'postgres.logging_collector_off',
    title: 'The logging collector is off',
    severity: 'low',
    why: 'Without it, csvlog and jsonlog are not written, and standard error is lost unless another program stores it.',
    fix: {
      advice:
        'If systemd, Debian’s pg_ctlcluster or a container’s log driver keeps standard error, check its retention and accept this finding. Otherwise turn the collector on.',
      steps: [
        setAtRestart({
          logging_collector: 'on',
          log_filename: 'postgresql-%Y-%m-%d.log',
          log_rotation_age: '1d',
        }),
      ],
    },
    references: [docs('logging_collector')],
    safeguards: [unrecorded],
  },
  fileMode: {
    id: 'postgres.log_file_mode_open',
    title: 'Log files are readable by every local user',
    severity: 'medium',
    why: 'Logs contain statements with their values, role names, and sometimes a password typed in the wrong place.',
    fix: {
      advice:
        'Restrict the mode of new log files, then `chmod o-rwx` the existing ones. Use `0640` if a group ships the logs.',
      steps: [setParameters({ log_file_mode: '0600' })],
    },
    references: [docs('log_file_mode')],
    safeguards: [
      lowers(
        safeguards.accessControl,
        'Every user of the machine can read the log, including values in statements.',
      ),
    ],
  },
  debugPrint: {
    id: 'postgres.debug_print_on',
    title: 'Query trees are logged',
    severity: 'low',
    why: 'Parse and plan trees fill the log and contain the constants of queries.',
    fix: {
      advice: 'Turn the three debugging settings off.',
      steps: [
        sql(
          [
            'ALTER SYSTEM RESET debug_print_parse;',
            'ALTER SYSTEM RESET debug_print_rewritten;',
            'ALTER SYSTEM RESET debug_print_plan;',
            'SELECT pg_reload_conf();',
          ].join('\n'),
          { note: 'Remove them from postgresql.conf too.' },
        ),
      ],
    },
    references: [docs('debug_print_parse')],
    safeguards: [],
  },
  pgaudit: {
    id: 'postgres.pgaudit_missing',
    title: 'Data access is not audited',
    severity: 'medium',
    why: 'PostgreSQL’s own log contains statements as sent, but not which tables they read or changed. pgaudit logs that.',
    fix: {
      advice:
        'Install pgaudit (`apt-get install postgresql-18-pgaudit` or `dnf install pgaudit_18`) and choose what to record. `pgaudit.role` audits single tables. On Amazon RDS, add it to the parameter group; on Cloud SQL, set the flag `cloudsql.enable_pgaudit`.',
      steps: [
        {
          place: 'postgres.file',
          code: "shared_preload_libraries = 'pgaudit'\npgaudit.log = 'ddl, role, write'",
          note: 'Keep libraries that are already listed. Restart the server, then run `CREATE EXTENSION pgaudit;` in each database.',
        },
      ],
    },
    references: ['https://github.com/pgaudit/pgaudit/blob/main/README.md'],
    safeguards: [unrecorded, unreviewable],
  },
  pgauditClasses: {
    id: 'postgres.pgaudit_classes_missing',
    title: 'pgaudit does not record changes of roles or of the schema',
    severity: 'low',
    why: 'There is no complete record of who granted privileges, created roles or changed tables.',
    fix: {
      advice:
        'Add the classes `ddl` and `role`. Classes that are set for one role or database replace those of the server there.',
      steps: [setParameters({ 'pgaudit.log': 'ddl, role, write' })],
    },
    references: ['https://github.com/pgaudit/pgaudit/blob/main/README.md'],
    safeguards: [unrecorded],
  },
  rotation: {
    id: 'postgres.log_rotation_weak',
    title: 'Log files are not rotated',
    severity: 'low',
    why: 'One file grows until the disk is full, or old and new entries mix in it, so that logs are deleted or overwritten when they are needed.',
    fix: {
      advice:
        'Start a new file each day or at a size, with the time in its name, and ship or delete old files.',
      steps: [setParameters({ log_filename: 'postgresql-%Y-%m-%d_%H%M%S.log', log_rotation_age: '1d' })],
    },
    references: [docs('log_rotation_age'), docs('log_filename')],
    safeguards: [unrecorded],
  },
  detail: {
    id: 'postgres.log_detail_weak',
    title: 'The log leaves out what investigations need',
    severity: 'low',
    why: 'Without warnings, statements with errors, details or addresses, attempts such as SQL injection cannot be distinguished from ordinary errors.',
    fix: {
      advice: `Use the defaults, which record them. With \`log_hostname\`, lines contain names from reverse DNS, which the owner of an address chooses, in place of addresses. ${managed}`,
      steps: [
        setParameters({
          log_min_messages: 'warning',
          log_min_error_statement: 'error',
          log_error_verbosity: 'default',
          log_hostname: 'off',
          syslog_sequence_numbers: 'on',
          syslog_split_messages: 'on',
        }),
      ],
    },
    references: [docs('log_min_messages'), docs('log_error_verbosity')],
    safeguards: [unrecorded],
  },
  replicationCommands: {
    id: 'postgres.log_replication_commands_off',
    title: 'Replication commands are not logged',
    severity: 'low',
    why: 'Replication copies the whole cluster. There is no record of who started a base backup or a stream.',
    fix: {
      advice: `Log replication commands. ${managed}`,
      steps: [setParameters({ log_replication_commands: 'on' })],
    },
    references: [docs('log_replication_commands')],
    safeguards: [unrecorded],
  },
  directory: {
    id: 'postgres.log_directory_in_data',
    title: 'Log files are in the data directory',
    severity: 'info',
    why: 'Logs fill the same disk as the data, are copied into each base backup, and are lost with the cluster.',
    fix: {
      advice:
        'Use a folder on another file system that the server’s user may write, or ship logs elsewhere and accept this finding.',
      steps: [
        setParameters(
          { log_directory: '/var/log/postgresql' },
          { replace: { '/var/log/postgresql': 'a folder of the server’s user' } },
        ),
      ],
    },
    references: [docs('log_directory')],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
