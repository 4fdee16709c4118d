import type { Mutant, TestName } from '../mutant.ts';

const migration = 'src/database/migrate.ts';
const ofPooler = (test: string): TestName => ({
  file: 'test/database/pooler.test.ts',
  test: `behind a pooler in transaction mode > ${test}`,
});
const ofNodes = (test: string): TestName => ({ file: 'test/database/prepared-database.test.ts', test });

/** What operators rely on: migrations, poolers, and nodes that may not change the database. */
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
];
