import type { PostgresCapture } from '../../../captures/postgres.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { bootstrap, captureWith, firstSuperuser, listed, nothingRead, role } from '../hardened-capture.ts';

const classes = { check: 'postgres.pgaudit_classes_missing', locator: 'pgaudit.log' };
const ofFiles = ['log_file_mode_open', 'log_rotation_weak', 'log_directory_in_data'].map(
  id => `postgres.${id}`,
);

const set = (changed: Readonly<Record<string, string | null>>) => captureWith({ changed });
const all = [
  ...['log_connections_off', 'log_disconnections_off', 'log_statement_none', 'log_line_prefix_incomplete'],
  ...['logging_collector_off', 'log_file_mode_open', 'debug_print_on', 'pgaudit_missing'],
  ...['pgaudit_classes_missing', 'log_rotation_weak', 'log_detail_weak', 'log_replication_commands_off'],
  'log_directory_in_data',
].map(id => `postgres.${id}`);

export const cases: readonly GoldenCase<PostgresCapture>[] = [
  { name: 'hardened server', capture: captureWith(), expected: [] },
  {
    name: 'connections are not logged',
    capture: set({ log_connections: 'off', log_disconnections: 'off' }),
    expected: [
      { check: 'postgres.log_connections_off', locator: 'log_connections' },
      { check: 'postgres.log_disconnections_off', locator: 'log_disconnections' },
    ],
  },
  {
    name: 'version 18, nothing',
    capture: set({ log_connections: '' }),
    expected: ['postgres.log_connections_off'],
  },
  {
    name: 'version 18, receipt only',
    capture: set({ log_connections: 'receipt' }),
    expected: ['postgres.log_connections_off'],
  },
  { name: 'version 18, stages', capture: set({ log_connections: 'receipt, authorization' }), expected: [] },
  {
    name: 'no statements and no pgaudit',
    capture: set({
      log_statement: 'none',
      shared_preload_libraries: 'pg_stat_statements',
      'pgaudit.log': null,
    }),
    expected: [
      { check: 'postgres.log_statement_none', locator: 'log_statement' },
      { check: 'postgres.pgaudit_missing', locator: 'shared_preload_libraries' },
    ],
    notAssessed: [classes.check],
  },
  {
    name: 'pgaudit logs them',
    capture: set({ log_statement: 'none', 'pgaudit.log': 'all, -misc' }),
    expected: [],
  },
  {
    name: 'pgaudit records something else',
    capture: set({ log_statement: 'none', 'pgaudit.log': 'write,-ddl' }),
    expected: ['postgres.log_statement_none', classes],
  },
  {
    name: 'pgaudit records nothing',
    capture: set({ 'pgaudit.log': 'none' }),
    expected: [{ check: 'postgres.pgaudit_missing', locator: 'pgaudit.log' }],
    notAssessed: [classes.check],
  },
  {
    name: 'pgaudit records objects only',
    capture: set({ 'pgaudit.log': 'none', 'pgaudit.role': 'auditor' }),
    expected: [classes],
  },
  {
    name: 'pgaudit for one database',
    capture: captureWith({
      changed: { shared_preload_libraries: '$libdir/pgaudit, pg_cron', 'pgaudit.log': 'none' },
      overrides: listed({ role: null, database: 'clinic', name: 'pgaudit.log', value: 'read, write' }),
    }),
    expected: [classes],
  },
  {
    name: 'hidden libraries',
    capture: set({ log_statement: 'none', shared_preload_libraries: null }),
    expected: [],
    notAssessed: [
      'postgres.pgaudit_missing',
      'postgres.pgaudit_classes_missing',
      'postgres.log_statement_none',
    ],
  },
  {
    name: 'the usual prefix',
    capture: set({ log_line_prefix: '%m [%p] ' }),
    expected: [{ check: 'postgres.log_line_prefix_incomplete', locator: 'log_line_prefix' }],
  },
  { name: 'the prefix of RDS', capture: set({ log_line_prefix: '%t:%r:%u@%d:[%p]:' }), expected: [] },
  { name: 'widths in the prefix', capture: set({ log_line_prefix: '%-10n %c %q%20u %5d' }), expected: [] },
  {
    name: 'an escaped percent sign',
    capture: set({ log_line_prefix: '%m %p %%u %d' }),
    expected: ['postgres.log_line_prefix_incomplete'],
  },
  {
    name: 'syslog adds the time',
    capture: set({ log_destination: 'syslog', log_line_prefix: '%u %d ' }),
    expected: [],
  },
  {
    name: 'JSON needs no prefix',
    capture: set({ log_destination: 'stderr,jsonlog', log_line_prefix: '' }),
    expected: [],
  },
  {
    name: 'a service whose standard error is stored elsewhere',
    capture: set({ logging_collector: 'off' }),
    expected: [{ check: 'postgres.logging_collector_off', locator: 'logging_collector' }],
    notAssessed: ofFiles,
  },
  {
    name: 'CSV without the collector',
    capture: set({ logging_collector: 'off', log_destination: 'csvlog' }),
    expected: ['postgres.logging_collector_off'],
    notAssessed: ofFiles,
  },
  {
    name: 'syslog needs no collector',
    capture: set({ logging_collector: 'off', log_destination: 'syslog' }),
    expected: [],
    notAssessed: ofFiles,
  },
  {
    name: 'a managed service stores the log',
    capture: captureWith({
      changed: { logging_collector: 'off', log_file_mode: '0644' },
      roles: listed(firstSuperuser('cloudsqladmin')),
    }),
    expected: [],
    notAssessed: ['postgres.logging_collector_off', ...ofFiles],
  },
  {
    name: 'every local user may read the log',
    capture: set({ log_file_mode: '0644' }),
    expected: [{ check: 'postgres.log_file_mode_open', locator: 'log_file_mode' }],
  },
  { name: 'a group may read the log', capture: set({ log_file_mode: '0640' }), expected: [] },
  {
    name: 'query trees in the log',
    capture: set({ debug_print_parse: 'on', debug_print_plan: 'on' }),
    expected: [
      { check: 'postgres.debug_print_on', locator: 'debug_print_parse' },
      { check: 'postgres.debug_print_on', locator: 'debug_print_plan' },
    ],
  },
  {
    name: 'pgaudit without one of the classes',
    capture: set({ 'pgaudit.log': 'all, -role' }),
    expected: [classes],
  },
  {
    name: 'one file that never ends',
    capture: set({ log_rotation_age: '0', log_rotation_size: '0', log_filename: 'postgresql.log' }),
    expected: [
      { check: 'postgres.log_rotation_weak', locator: 'log_rotation_age' },
      { check: 'postgres.log_rotation_weak', locator: 'log_filename' },
    ],
  },
  {
    name: 'a file for each weekday that is never emptied, in the data directory',
    capture: set({ log_filename: 'postgresql-%a.log', log_directory: 'log' }),
    expected: [
      { check: 'postgres.log_rotation_weak', locator: 'log_truncate_on_rotation' },
      { check: 'postgres.log_directory_in_data', locator: 'log_directory' },
    ],
  },
  {
    name: 'a file for each weekday that is emptied, rotated by size only',
    capture: set({
      log_filename: 'postgresql-%a.log',
      log_truncate_on_rotation: 'on',
      log_rotation_age: '0',
    }),
    expected: [],
  },
  {
    name: 'too little in the log',
    capture: set({
      log_min_messages: 'fatal',
      log_min_error_statement: 'panic',
      log_error_verbosity: 'terse',
      log_hostname: 'on',
      syslog_split_messages: 'off',
    }),
    expected: ['log_min_messages', 'log_min_error_statement', 'log_error_verbosity', 'log_hostname'].map(
      locator => ({ check: 'postgres.log_detail_weak', locator }),
    ),
  },
  {
    name: 'local time in the log',
    capture: set({ log_timezone: 'Europe/Berlin' }),
    expected: [{ check: 'postgres.log_detail_weak', locator: 'log_timezone', severity: 'info' }],
  },
  {
    name: 'too much in the log',
    capture: set({ log_min_messages: 'debug2' }),
    expected: [{ check: 'postgres.log_detail_weak', locator: 'log_min_messages' }],
  },
  {
    name: 'syslog that loses messages',
    capture: set({ log_destination: 'syslog', syslog_sequence_numbers: 'off', syslog_split_messages: 'off' }),
    expected: ['syslog_sequence_numbers', 'syslog_split_messages'].map(locator => ({
      check: 'postgres.log_detail_weak',
      locator,
    })),
  },
  {
    name: 'a replica without a record of its commands',
    capture: captureWith({
      changed: { log_replication_commands: 'off' },
      roles: listed(bootstrap, role('replicator', { replication: true })),
    }),
    expected: [{ check: 'postgres.log_replication_commands_off', locator: 'log_replication_commands' }],
  },
  {
    name: 'no replication',
    capture: set({ log_replication_commands: 'off' }),
    expected: [],
    notAssessed: ['postgres.log_replication_commands_off'],
  },
  { name: 'nothing could be read', capture: nothingRead, expected: [], notAssessed: all },
];
