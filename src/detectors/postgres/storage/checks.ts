import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const noCopy = lowers(
  safeguards.dataBackup,
  'What was entered since the last backup may have no retrievable copy.',
);

const docs = (page: string) => `https://www.postgresql.org/docs/current/${page}`;

export const storageChecks = {
  checksums: {
    id: 'postgres.data_checksums_off',
    title: 'Data pages have no checksums',
    severity: 'medium',
    why: 'A failing disk or controller changes pages without anybody noticing, until the damage has reached every backup.',
    fix: {
      advice:
        'Stop the server cleanly and run `pg_checksums --enable --progress -D /var/lib/postgresql/18/main`, then start it. With a standby: do it there first and switch over. New clusters have checksums by default since version 18; before that use `initdb --data-checksums`.',
    },
    references: [docs('checksums.html'), docs('app-pgchecksums.html')],
    safeguards: [
      lowers(
        safeguards.integrityMechanism,
        'Without checksums the server does not notice pages that were changed behind its back.',
      ),
    ],
  },
  fsync: {
    id: 'postgres.fsync_off',
    title: 'The server does not wait for the disk',
    severity: 'high',
    why: 'After a power cut or a crash of the machine the whole cluster may be damaged beyond repair.',
    fix: {
      advice:
        '`alter system reset fsync; select pg_reload_conf();` and look for `-c fsync=off` in the command line, the compose file or the unit. Where speed is what counts use `synchronous_commit = off` for single roles: it can lose the last moments, not the cluster.',
    },
    references: [docs('runtime-config-wal.html#GUC-FSYNC')],
    safeguards: [
      lowers(safeguards.integrity, 'A crash can damage or destroy data that was reported as stored.'),
    ],
  },
  archiveMode: {
    id: 'postgres.archive_mode_off',
    title: 'The write-ahead log is not archived',
    severity: 'medium',
    why: 'Without an archive the database can be restored to the last backup only: what was entered since is lost.',
    fix: {
      advice:
        "Set up continuous archiving with pgBackRest, Barman or WAL-G, or by hand: `alter system set archive_mode = 'on'; alter system set archive_command = 'pgbackrest --stanza=main archive-push %p';`, restart, take a base backup, and rehearse a restore. Streaming the log with pg_receivewal and a physical replication slot counts as well.",
    },
    references: [docs('continuous-archiving.html'), docs('runtime-config-wal.html#GUC-ARCHIVE-MODE')],
    safeguards: [noCopy],
  },
  archiverFailing: {
    id: 'postgres.archiver_failing',
    title: 'Archiving of the write-ahead log fails',
    severity: 'high',
    why: 'The backups have a gap from this moment on, and the disk fills with segments that wait.',
    fix: {
      advice:
        'Read the server’s log for the output of archive_command, mend what it names (space, credentials, network), and watch `select * from pg_stat_archiver;` until last_archived_time is later than last_failed_time. If segments are missing in the archive, take a new base backup.',
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
    title: 'Pages did not match their checksums',
    severity: 'high',
    why: 'Stored data has been altered behind the server’s back; more of it may be damaged than has been read.',
    fix: {
      advice:
        'Find the pages in the server’s log (“invalid page in block …”), check the disks, and restore from a backup or switch over to a standby whose pages are sound. Verify with `pg_amcheck --all` and, stopped, `pg_checksums --check`. Once it is mended, `select pg_stat_reset();` in that database clears the count.',
    },
    references: [docs('checksums.html'), docs('monitoring-stats.html#MONITORING-PG-STAT-DATABASE-VIEW')],
    safeguards: [lowers(safeguards.integrity, 'Stored data is no longer what was written.')],
  },
} as const satisfies Record<string, Check>;
