import type { PostgresCapture } from '../../../captures/postgres.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { captureWith, firstSuperuser, listed, nothingRead } from '../hardened-capture.ts';

const set = (changed: Readonly<Record<string, string | null>>) => captureWith({ changed });
const all = [
  ...['log_connections_off', 'log_disconnections_off', 'log_statement_none', 'log_line_prefix_incomplete'],
  ...['logging_collector_off', 'log_file_mode_open', 'debug_print_on', 'pgaudit_missing'],
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
  },
  {
    name: 'pgaudit logs them',
    capture: set({ log_statement: 'none', 'pgaudit.log': 'all, -misc' }),
    expected: [],
  },
  {
    name: 'pgaudit records something else',
    capture: set({ log_statement: 'none', 'pgaudit.log': 'write,-ddl' }),
    expected: ['postgres.log_statement_none'],
  },
  {
    name: 'pgaudit records nothing',
    capture: set({ 'pgaudit.log': 'none' }),
    expected: [{ check: 'postgres.pgaudit_missing', locator: 'pgaudit.log' }],
  },
  {
    name: 'pgaudit records objects only',
    capture: set({ 'pgaudit.log': 'none', 'pgaudit.role': 'auditor' }),
    expected: [],
  },
  {
    name: 'pgaudit for one database',
    capture: captureWith({
      changed: { shared_preload_libraries: '$libdir/pgaudit, pg_cron', 'pgaudit.log': 'none' },
      overrides: listed({ role: null, database: 'clinic', name: 'pgaudit.log', value: 'read, write' }),
    }),
    expected: [],
  },
  {
    name: 'hidden libraries',
    capture: set({ log_statement: 'none', shared_preload_libraries: null }),
    expected: [],
    notAssessed: ['postgres.pgaudit_missing', 'postgres.log_statement_none'],
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
    notAssessed: ['postgres.log_file_mode_open'],
  },
  {
    name: 'CSV without the collector',
    capture: set({ logging_collector: 'off', log_destination: 'csvlog' }),
    expected: ['postgres.logging_collector_off'],
    notAssessed: ['postgres.log_file_mode_open'],
  },
  {
    name: 'syslog needs no collector',
    capture: set({ logging_collector: 'off', log_destination: 'syslog' }),
    expected: [],
    notAssessed: ['postgres.log_file_mode_open'],
  },
  {
    name: 'a managed service stores the log',
    capture: captureWith({
      changed: { logging_collector: 'off', log_file_mode: '0644' },
      roles: listed(firstSuperuser('cloudsqladmin')),
    }),
    expected: [],
    notAssessed: ['postgres.logging_collector_off', 'postgres.log_file_mode_open'],
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
  { name: 'nothing could be read', capture: nothingRead, expected: [], notAssessed: all },
];
