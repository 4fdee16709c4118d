import type { PostgresCapture } from '../../../captures/postgres.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { providerOf } from '../provider.ts';
import { observeEach, rowsOf, settingOf, withSettings } from '../reading.ts';
import { storageChecks as checks } from './checks.ts';

/** Whether stored data stays intact and can be restored. */
export const postgresStorageDetector: Detector<PostgresCapture> = {
  name: 'postgres.storage',
  surface: 'postgres',
  checks: Object.values(checks),
  detect: detecting((found, capture) => {
    const failures = rowsOf(found, [checks.checksumFailures], capture.checksum_failures);
    observeEach(
      found,
      checks.checksumFailures,
      failures.map(name => ({
        locator: `database ${name}`,
        seen: `The server has counted checksum failures in ${quoted(name, 80)}.`,
      })),
    );
    const { checksumFailures: _, ...others } = checks;
    const ofServer = Object.values(others);
    const provider = providerOf(capture);
    if (!capture.roles.assessed)
      return found.cannotAssess(
        ofServer,
        `Whether a service runs the server is unknown. ${capture.roles.reason}`,
      );
    if (provider !== undefined) {
      // Managed storage does all of this in its own way, which settings do not show.
      return found.doesNotApply(ofServer, `${provider.name} stores and backs up the data in its own way.`);
    }
    withSettings(found, [checks.checksums], capture, ['data_checksums'], value => {
      if (value === 'off') found.observe(checks.checksums, 'data_checksums', 'data_checksums is off.');
    });
    withSettings(found, [checks.fsync], capture, ['fsync'], value => {
      if (value === 'off') found.observe(checks.fsync, 'fsync', 'fsync is off.');
    });
    withSettings(
      found,
      [checks.crashSafety],
      capture,
      ['full_page_writes', 'synchronous_commit'],
      (pages, commit) => {
        if (pages === 'off')
          found.observe(checks.crashSafety, 'full_page_writes', 'full_page_writes is off.');
        if (commit === 'off')
          found.observe(checks.crashSafety, 'synchronous_commit', 'synchronous_commit is off.', 'low');
      },
    );
    detectArchiving(found, capture);
    detectArchiveCommand(found, capture);
  }),
};

function detectArchiving(found: DetectionBuilder, capture: PostgresCapture): void {
  const { archiver, server } = capture;
  const { archiveMode, archiverFailing } = checks;
  withSettings(found, [archiveMode, archiverFailing], capture, ['archive_mode'], mode => {
    if (server.in_recovery && mode !== 'always') {
      found.doesNotApply([archiveMode, archiverFailing], 'A standby leaves archiving to its primary.');
    } else if (!archiver.assessed) {
      found.cannotAssess([archiverFailing, ...(mode === 'off' ? [archiveMode] : [])], archiver.reason);
    } else if (mode === 'off') {
      // Failures from before archiving was turned off do not matter.
      found.doesNotApply([archiverFailing], 'The server does not archive.');
      if (!archiver.value.has_physical_slot) {
        const seen = 'archive_mode is off, and there is no physical replication slot.';
        found.observe(archiveMode, 'archive_mode', seen);
      }
    } else if (archiver.value.failing) {
      found.observe(archiverFailing, 'archiver', 'The last attempt to archive a segment failed.');
    }
  });
}

/** The capture has only the kind of the command. */
function detectArchiveCommand(found: DetectionBuilder, capture: PostgresCapture): void {
  const check = checks.archiveDiscards;
  const names = ['archive_mode', 'archive_command'];
  withSettings(found, [check], capture, names, (mode, command) => {
    const library = settingOf(capture, 'archive_library');
    if (mode === 'off') found.doesNotApply([check], 'The server does not archive.');
    else if (library.assessed && library.value !== '') return;
    else if (command === 'discards')
      found.observe(check, 'archive_command', 'archive_command only reports success.');
    else if (command === 'empty') found.observe(check, 'archive_command', 'archive_command is empty.');
  });
}
