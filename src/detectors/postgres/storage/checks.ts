import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { docs, setAtRestart, setParameters, sql } from '../fix.ts';

const noCopy = lowers(
  safeguards.dataBackup,
  'Data entered since the last backup may have no retrievable copy.',
);

export const storageChecks = {
  checksums: {
    id: 'postgres.data_checksums_off',
    title: 'Data checksums are off',
    severity: 'medium',
    why: 'A failing disk or controller can change pages unnoticed until every backup is damaged.',
    fix: {
      advice:
        'Stop the server cleanly, enable checksums, then start it. With a standby, do it there first and switch over. New clusters have checksums by default since version 18; before that, use `initdb --data-checksums`.',
      steps: [
        {
          place: 'postgres.shell',
          code: 'pg_checksums --enable --progress -D /var/lib/postgresql/18/main',
          replace: { '/var/lib/postgresql/18/main': 'the data directory' },
          note: 'Run it as the server’s user, while the server is stopped.',
        },
      ],
    },
    references: [docs('checksums.html'), docs('app-pgchecksums.html')],
    safeguards: [
      lowers(
        safeguards.integrityMechanism,
        'Without checksums, the server does not notice pages that were changed outside it.',
      ),
    ],
  },
  fsync: {
    id: 'postgres.fsync_off',
    title: 'fsync is off',
    severity: 'high',
    why: 'A power failure or crash can damage the whole cluster beyond repair.',
    fix: {
      advice:
        'Turn fsync on, and remove `-c fsync=off` from the command line, compose file or unit. If speed matters more for some roles, set `synchronous_commit = off` for them: it can lose the last moments, not the cluster.',
      steps: [sql("ALTER SYSTEM SET fsync = 'on';\nSELECT pg_reload_conf();")],
    },
    references: [docs('runtime-config-wal.html#GUC-FSYNC')],
    safeguards: [
      lowers(safeguards.integrity, 'A crash can damage or destroy data that was reported as stored.'),
    ],
  },
  archiveMode: {
    id: 'postgres.archive_mode_off',
    title: 'WAL archiving is off',
    severity: 'medium',
    why: 'Without an archive, the database can only be restored to the last backup: everything since is lost.',
    fix: {
      advice:
        'Set up continuous archiving with pgBackRest, Barman or WAL-G. Take a base backup and rehearse a restore. Streaming with pg_receivewal and a physical replication slot resolves this too.',
      steps: [
        setAtRestart(
          { archive_mode: 'on', archive_command: 'pgbackrest --stanza=main archive-push %p' },
          { replace: { 'pgbackrest --stanza=main archive-push %p': 'your tool’s command' } },
        ),
      ],
    },
    references: [docs('continuous-archiving.html'), docs('runtime-config-wal.html#GUC-ARCHIVE-MODE')],
    safeguards: [noCopy],
  },
  crashSafety: {
    id: 'postgres.crash_safety_weak',
    title: 'A crash can lose or damage data',
    severity: 'medium',
    why: 'Without full pages in the WAL, a crash in the middle of a write leaves a page that cannot be repaired. Without synchronous commit, the server confirms transactions that a crash then loses.',
    fix: {
      advice:
        'Turn both on for the server. If speed matters more for some data, set `synchronous_commit = off` in the transactions that write it.',
      steps: [setParameters({ full_page_writes: 'on', synchronous_commit: 'on' })],
    },
    references: [docs('runtime-config-wal.html#GUC-FULL-PAGE-WRITES')],
    safeguards: [
      lowers(safeguards.integrity, 'A crash can damage or lose data that was reported as stored.'),
    ],
  },
  archiveDiscards: {
    id: 'postgres.archive_discards',
    title: 'Archived WAL is not stored anywhere',
    severity: 'medium',
    why: 'The command only reports success, or is empty: there is no archive to restore from, or waiting segments fill the disk.',
    fix: {
      advice:
        'Set the command of your backup tool, such as pgBackRest, Barman or WAL-G, then take a base backup. Turn archive_mode off if a physical replication slot is enough.',
      steps: [
        setParameters(
          { archive_command: 'pgbackrest --stanza=main archive-push %p' },
          { replace: { 'pgbackrest --stanza=main archive-push %p': 'your tool’s command' } },
        ),
      ],
    },
    references: [docs('continuous-archiving.html'), docs('runtime-config-wal.html#GUC-ARCHIVE-COMMAND')],
    safeguards: [noCopy],
  },
  archiverFailing: {
    id: 'postgres.archiver_failing',
    title: 'WAL archiving is failing',
    severity: 'high',
    why: 'Backups have a gap from this moment on, and waiting segments fill the disk.',
    fix: {
      advice:
        'Find the output of archive_command in the server’s log and fix what it names: space, credentials or network. Watch `SELECT * FROM pg_stat_archiver;` until last_archived_time is later than last_failed_time. If segments are missing from the archive, take a new base backup.',
    },
    references: [
      docs('continuous-archiving.html'),
      docs('monitoring-stats.html#MONITORING-PG-STAT-ARCHIVER-VIEW'),
    ],
    safeguards: [
      noCopy,
      lowers(safeguards.disasterRecovery, 'A restore cannot reach past the gap in the archive.'),
    ],
  },
  checksumFailures: {
    id: 'postgres.checksum_failures',
    title: 'Data pages failed their checksums',
    severity: 'high',
    why: 'Stored data was altered outside the server, and pages that were not read may be damaged too.',
    fix: {
      advice:
        'Find the pages in the server’s log (“invalid page in block”), check the disks, and restore from a backup or switch to a healthy standby. Verify with `pg_amcheck --all` and, while stopped, `pg_checksums --check`. Then reset the count.',
      steps: [
        sql('SELECT pg_stat_reset();', {
          note: 'Run it in the database that the finding names, once the damage is repaired. It resets all of that database’s statistics.',
        }),
      ],
    },
    references: [docs('checksums.html'), docs('monitoring-stats.html#MONITORING-PG-STAT-DATABASE-VIEW')],
    safeguards: [lowers(safeguards.integrity, 'Stored data is no longer what was written.')],
  },
} as const satisfies Record<string, Check>;
