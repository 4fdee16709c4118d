import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const unrecorded = lowers(safeguards.auditControls, 'Activity that is not recorded cannot be examined.');
const unreviewable = lowers(safeguards.activityReview, 'Without this record there is less to review.');

const docs = (setting: string) =>
  `https://www.postgresql.org/docs/current/runtime-config-logging.html#GUC-${setting.toUpperCase().replaceAll('_', '-')}`;
const set = (name: string, value: string) =>
  `\`alter system set ${name} = '${value}'; select pg_reload_conf();\``;
const managed =
  'On RDS, Cloud SQL or Azure set it in the parameter group, the flags or the server parameters.';

export const loggingChecks = {
  connections: {
    id: 'postgres.log_connections_off',
    title: 'Log-ins are not logged',
    severity: 'low',
    why: 'After an incident nobody can tell who was connected, from where and when.',
    fix: {
      advice: `${set('log_connections', 'on')} (version 18 also takes \`authentication, authorization\`). ${managed}`,
    },
    references: [docs('log_connections')],
    safeguards: [
      unrecorded,
      unreviewable,
      lowers(safeguards.logInMonitoring, 'Log-ins that are not recorded cannot be monitored.'),
    ],
  },
  disconnections: {
    id: 'postgres.log_disconnections_off',
    title: 'Ends of sessions are not logged',
    severity: 'low',
    why: 'Without the end of each session and its length the log does not tell how long somebody was in.',
    fix: { advice: `${set('log_disconnections', 'on')} ${managed}` },
    references: [docs('log_disconnections')],
    safeguards: [unrecorded],
  },
  statement: {
    id: 'postgres.log_statement_none',
    title: 'Changes of the schema are not logged',
    severity: 'low',
    why: 'New tables, dropped policies and grants leave no trace of who made them.',
    fix: {
      advice: `${set('log_statement', 'ddl')} Do not use \`all\` where statements hold health information: the log would hold it too. pgaudit with \`pgaudit.log = 'ddl, role'\` does as well. ${managed}`,
    },
    references: [docs('log_statement')],
    safeguards: [unrecorded, unreviewable],
  },
  linePrefix: {
    id: 'postgres.log_line_prefix_incomplete',
    title: 'Log lines do not tell who did it when',
    severity: 'low',
    why: 'A line without time, process, role and database cannot be laid to anybody’s charge.',
    fix: {
      advice: `${set('log_line_prefix', '%m [%p] %q%u@%d %h ')} %m is the time, %p the process, %u the role, %d the database, %h the client. The formats csvlog and jsonlog hold all of it anyway.`,
    },
    references: [docs('log_line_prefix')],
    safeguards: [
      lowers(
        safeguards.auditControls,
        'A log line that does not say who did it, and when, records no one’s activity.',
      ),
    ],
  },
  collector: {
    id: 'postgres.logging_collector_off',
    title: 'The server does not keep its log itself',
    severity: 'low',
    why: 'Without the collector csvlog and jsonlog are not written, and what goes to standard error is lost unless something outside keeps it.',
    fix: {
      advice:
        "Where systemd, Debian’s pg_ctlcluster or a container’s log driver keeps standard error, see that it is retained, and leave it. Otherwise `alter system set logging_collector = 'on';` with `log_directory`, `log_filename = 'postgresql-%Y-%m-%d.log'` and `log_rotation_age = '1d'`, and restart.",
    },
    references: [docs('logging_collector')],
    safeguards: [unrecorded],
  },
  fileMode: {
    id: 'postgres.log_file_mode_open',
    title: 'Every user of the machine may read the log files',
    severity: 'medium',
    why: 'Logs hold statements with values in them, names of roles, and now and then a password that was typed in the wrong place.',
    fix: {
      advice: `${set('log_file_mode', '0600')} or \`0640\` for a group that ships logs. Then \`chmod o-rwx\` the files that are there.`,
    },
    references: [docs('log_file_mode')],
    safeguards: [
      lowers(
        safeguards.accessControl,
        'Every user of the machine can read what the log holds, values of statements included.',
      ),
    ],
  },
  debugPrint: {
    id: 'postgres.debug_print_on',
    title: 'The server logs the trees of every query',
    severity: 'low',
    why: 'Parse and plan trees fill the log and carry the constants of queries into it.',
    fix: {
      advice:
        'Turn all three off: `alter system reset debug_print_parse; alter system reset debug_print_rewritten; alter system reset debug_print_plan; select pg_reload_conf();`',
    },
    references: [docs('debug_print_parse')],
    safeguards: [],
  },
  pgaudit: {
    id: 'postgres.pgaudit_missing',
    title: 'Access to data is not audited',
    severity: 'medium',
    why: 'PostgreSQL’s own log has statements as they were sent, and not which tables they read or changed; pgaudit records that.',
    fix: {
      advice:
        "Install pgaudit (`apt-get install postgresql-18-pgaudit`, `dnf install pgaudit_18`), add it to `shared_preload_libraries`, restart, `create extension pgaudit;`, and choose what to record: `alter system set pgaudit.log = 'ddl, role, write'; select pg_reload_conf();`, or `pgaudit.role` with grants for single tables. On RDS add it to the parameter group; on Cloud SQL set the flag `cloudsql.enable_pgaudit`.",
    },
    references: ['https://github.com/pgaudit/pgaudit/blob/main/README.md'],
    safeguards: [unrecorded, unreviewable],
  },
} as const satisfies Record<string, Check>;
