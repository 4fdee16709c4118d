import type { Mutant, TestName } from '../mutant.ts';

const migration = 'src/database/migrate.ts';
const ofPooler = (test: string): TestName => ({
  file: 'test/database/pooler.test.ts',
  test: `behind a pooler in transaction mode > ${test}`,
});
const ofNodes = (test: string): TestName => ({ file: 'test/database/prepared-database.test.ts', test });

const ofFinishedJobs: TestName = {
  file: 'test/database/finished-jobs.test.ts',
  test: 'deletes completed and failed jobs of every queue after ten minutes, and waiting ones never',
};

const ofBackup = (test: string): TestName => ({ file: 'test/database/backup.test.ts', test });

/** What operators rely on: migrations, poolers, nodes that may not change the database, and backups. */
export const operationMutants: readonly Mutant[] = [
  {
    name: 'Statements are prepared by name behind a pooler',
    file: 'src/database/unnamed-statements.ts',
    search: '{ ...statement, name: undefined }',
    replacement: '{ ...statement }',
    killedBy: ofPooler('statements of many organizations at once stay in theirs'),
  },
  {
    name: 'Roles have no settings of their own',
    file: 'src/database/roles.ts',
    search: '  await settleRole(owner, user);\n',
    replacement: '  void settleRole;\n',
    killedBy: ofPooler('sessions have their settings'),
  },
  {
    name: 'A pooler that drops the settings of sessions need not be announced',
    file: migration,
    search: 'if (!isPooled && !arrived)',
    replacement: 'if (isPooled && !arrived)',
    killedBy: ofPooler('it must be announced, whether it drops them'),
  },
  {
    name: 'The job queue is installed outside of the migration’s transaction',
    file: 'src/database/jobs/install.ts',
    search: "'$1');",
    replacement: "'BEGIN;$1COMMIT;');",
    killedBy: ofNodes('a migration > has no effect if it does not end, on the job queue either'),
  },
  {
    name: 'Finished jobs are kept for a week',
    file: 'src/database/jobs/queues.ts',
    search: '  deleteAfterSeconds: 600,\n',
    replacement: '',
    killedBy: ofFinishedJobs,
  },
  {
    name: 'Jobs that wait for two weeks are deleted',
    file: 'src/database/jobs/queues.ts',
    search: '  retentionSeconds: 10 * 365 * 86_400,\n',
    replacement: '',
    killedBy: ofFinishedJobs,
  },
  {
    name: 'A process that may not change the database migrates it',
    file: migration,
    search: 'if (!instead && ',
    replacement: 'if (',
    killedBy: ofNodes('a migration > is left to another process if this one may not change the database'),
  },
  {
    name: 'A role with other settings than Parapet gave it is accepted',
    file: 'src/database/prepared-roles.ts',
    search: 'if (changed.length > 0)',
    replacement: 'if (changed.length < 0)',
    killedBy: ofNodes(
      'a node whose role may create no roles > does not start if a role has changed its settings',
    ),
  },
  {
    name: 'Each start changes what a pooler has cached of the passwords',
    file: 'src/database/scram-verifier.ts',
    search: "createHash('sha256').update(`parapet salt ${password}`)",
    replacement: "createHash('sha256').update(`parapet salt ${password} ${performance.now()}`)",
    killedBy: ofNodes(
      'a migration > leaves the verifiers of the passwords as they are, which poolers may have cached',
    ),
  },
  {
    name: 'A restore accepts parts with another hash',
    file: 'src/backup/restore-backup.ts',
    search: '|| given.sha256 !== part.sha256',
    replacement: '',
    killedBy: ofBackup('a restore > refuses a backup with a change in the manifest, and leaves nothing'),
  },
  {
    name: 'A backup without the records of organizations is accepted',
    file: 'src/backup/restore-backup.ts',
    search: '!areKnown || !isComplete',
    replacement: '!areKnown',
    killedBy: ofBackup('a restore > refuses a backup without the audit log'),
  },
  {
    name: 'A row without an end fills the memory of PostgreSQL',
    file: 'src/backup/copy-lines.ts',
    search: 'if (length > longest) throw notABackup(table);',
    replacement: '',
    killedBy: ofBackup('a restore > refuses a row without an end'),
  },
  {
    name: 'A header of encryption without an end fills memory',
    file: 'src/backup/encryption.ts',
    search: 'if (start.length > longestHeader) throw',
    replacement: 'if (start.length < 0) throw',
    killedBy: ofBackup('encryption > refuses a header without an end, without reading on'),
  },
  {
    name: 'A restore installs a master key that is none',
    file: 'src/main/restore.ts',
    search: "    parseMasterKey(key, 'master.key in the backup', 'the backup is damaged');\n",
    replacement: '    void parseMasterKey;\n',
    killedBy: ofBackup('a restore > refuses a master key that is none, before anything is restored'),
  },
  {
    name: 'Functions that run as the owner read the rows of all organizations',
    file: 'src/database/let-owner-read.ts',
    search: 'using (session_user = current_user);',
    replacement: 'using (true);',
    killedBy: ofBackup('does not let functions that run as the owner read for others'),
  },
  {
    name: 'A restored database has no triggers',
    file: 'src/backup/restore-backup.ts',
    search: 'enable trigger user`',
    replacement: 'disable trigger user`',
    killedBy: ofBackup('a restored backup > has all protections, and serves on'),
  },
  {
    name: 'A backup is not one moment of the database',
    file: 'src/backup/write-backup.ts',
    search: 'beginOwner(owner, oneSnapshot)',
    replacement: "beginOwner(owner, 'read only')",
    killedBy: ofBackup('is one moment of a database in use, with an owner who is not a superuser'),
  },
  {
    name: 'Scans that had not ended are not sent to workers after a restore',
    file: 'src/backup/restore-backup.ts',
    search: 'await sendUnfinished(owner);',
    replacement: 'void sendUnfinished;',
    killedBy: ofBackup('a restored backup > has the jobs of scans that had not ended'),
  },
  {
    name: 'A private database is copied while others write to it',
    file: 'src/private-postgres/carry-over.ts',
    search: '    if (!(await lease.release())) {',
    replacement: '    if (!(await lease.release()) && from === 0) {',
    killedBy: {
      file: 'src/private-postgres/carry-over.test.ts',
      test: 'an old cluster in use is not copied',
    },
  },
  {
    name: 'An older release goes on with a private database that was copied',
    file: 'src/private-postgres/cluster.ts',
    search: '  await setAsideOlder(home, binaries);\n  return cluster;',
    replacement: '  return cluster;',
    killedBy: {
      file: 'src/private-postgres/carry-over.test.ts',
      test: 'an older cluster beside the current one is set aside, so that no older release goes on with it',
    },
  },
  {
    name: 'A program works with a database that is too new for it',
    file: 'src/database/migrations.ts',
    search: '(missing.length > 0 || oldest > newest)',
    replacement: 'missing.length > 0',
    killedBy: {
      file: 'test/database/migrate.test.ts',
      test: 'migrations > leave a database of a newer release as it is, if this program can run with it',
    },
  },
  {
    name: 'An older program changes the database of a newer one',
    file: 'src/database/migrate.ts',
    search: 'if (!options.fill && (await compareMigrations(owner)).isNewer) {',
    replacement: 'if (!options.fill && (await compareMigrations(owner)).missing === undefined) {',
    killedBy: {
      file: 'test/database/migrate.test.ts',
      test: 'migrations > leave a database of a newer release as it is, if this program can run with it',
    },
  },
];
