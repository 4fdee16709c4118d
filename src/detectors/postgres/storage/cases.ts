import type { PostgresCapture } from '../../../captures/postgres.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { captureWith, firstSuperuser, listed, nothingRead, notRead } from '../hardened-capture.ts';

const archiver = (failing: boolean, has_physical_slot = false) => ({
  assessed: true as const,
  value: { failing, has_physical_slot },
});
const follower = { ...captureWith().server, in_recovery: true };

export const cases: readonly GoldenCase<PostgresCapture>[] = [
  { name: 'hardened server', capture: captureWith(), expected: [] },
  {
    name: 'neither checksums nor fsync',
    capture: captureWith({ changed: { data_checksums: 'off', fsync: 'off' } }),
    expected: [
      { check: 'postgres.data_checksums_off', locator: 'data_checksums' },
      { check: 'postgres.fsync_off', locator: 'fsync' },
    ],
  },
  {
    name: 'what a crash loses',
    capture: captureWith({ changed: { full_page_writes: 'off', synchronous_commit: 'off' } }),
    expected: [
      { check: 'postgres.crash_safety_weak', locator: 'full_page_writes' },
      { check: 'postgres.crash_safety_weak', locator: 'synchronous_commit', severity: 'low' },
    ],
  },
  ...['discards', 'empty'].map(kind => ({
    name: `an archive command that is of the kind ${kind}`,
    capture: captureWith({ changed: { archive_command: kind } }),
    expected: [{ check: 'postgres.archive_discards', locator: 'archive_command' }],
  })),
  {
    name: 'a library archives',
    capture: captureWith({ changed: { archive_command: 'empty', archive_library: 'basic_archive' } }),
    expected: [],
  },
  {
    name: 'no archiving',
    capture: captureWith({ changed: { archive_mode: 'off' } }),
    expected: [{ check: 'postgres.archive_mode_off', locator: 'archive_mode' }],
    notAssessed: ['postgres.archiver_failing', 'postgres.archive_discards'],
  },
  {
    name: 'streamed WAL, and an old archiving failure',
    capture: captureWith({ changed: { archive_mode: 'off' }, archiver: archiver(true, true) }),
    expected: [],
    notAssessed: ['postgres.archiver_failing', 'postgres.archive_discards'],
  },
  {
    name: 'a standby leaves archiving to its primary',
    capture: captureWith({ changed: { archive_mode: 'off' }, server: follower }),
    expected: [],
    notAssessed: ['postgres.archive_mode_off', 'postgres.archiver_failing', 'postgres.archive_discards'],
  },
  {
    name: 'a standby that archives WAL',
    capture: captureWith({
      changed: { archive_mode: 'always' },
      server: follower,
      archiver: archiver(true),
    }),
    expected: ['postgres.archiver_failing'],
  },
  {
    name: 'failing archiving',
    capture: captureWith({ archiver: archiver(true) }),
    expected: [{ check: 'postgres.archiver_failing', locator: 'archiver' }],
  },
  {
    name: 'no archiving, and unknown slots',
    capture: captureWith({ changed: { archive_mode: 'off' }, archiver: notRead() }),
    expected: [],
    notAssessed: ['postgres.archive_mode_off', 'postgres.archiver_failing', 'postgres.archive_discards'],
  },
  {
    name: 'damaged pages',
    capture: captureWith({ checksum_failures: listed('clinic', 'shared objects') }),
    expected: [
      { check: 'postgres.checksum_failures', locator: 'database clinic' },
      { check: 'postgres.checksum_failures', locator: 'database shared objects' },
    ],
  },
  {
    name: 'a managed service handles storage',
    capture: captureWith({
      changed: { data_checksums: 'off', fsync: 'off', archive_mode: 'off' },
      roles: listed(firstSuperuser('rdsadmin')),
    }),
    expected: [],
    notAssessed: [
      'postgres.data_checksums_off',
      'postgres.fsync_off',
      'postgres.archive_mode_off',
      'postgres.archiver_failing',
      'postgres.archive_discards',
      'postgres.crash_safety_weak',
    ],
  },
  {
    name: 'nothing could be read',
    capture: nothingRead,
    expected: [],
    notAssessed: [
      'postgres.data_checksums_off',
      'postgres.fsync_off',
      'postgres.archive_mode_off',
      'postgres.archiver_failing',
      'postgres.archive_discards',
      'postgres.crash_safety_weak',
      'postgres.checksum_failures',
    ],
  },
];
