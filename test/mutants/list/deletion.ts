import type { Mutant, TestName } from '../mutant.ts';

const file = 'test/database/deletion.test.ts';
const completely = (test: string): TestName => ({ file: 'test/database/delete-completely.test.ts', test });
const migration = 'migrations/0061_deletion.sql';

/** Deletion of organizations: who may, and that nothing works for them meanwhile. */
export const deletionMutants: readonly Mutant[] = [
  {
    name: 'The owner deletes records of an organization that is not deleted',
    file: migration,
    search: 'where o.id = organization and o.deleted_at is not null',
    replacement: 'where o.id = organization',
    killedBy: {
      file,
      test: 'can be deleted by the owner in an organization that is deleted alone: evidence',
    },
  },
  {
    name: 'A service role deletes records of a deleted organization',
    file: migration,
    search:
      "and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = 'public.organizations'::regclass)",
    replacement: '',
    killedBy: { file, test: 'cannot be deleted by the app role, even with the privilege' },
  },
  {
    name: 'Watch scans a deleted organization',
    file: migration,
    search: `create policy not_deleted on watches as restrictive for select to {{system}}
  using (organization_id not in (select id from organizations where deleted_at is not null));`,
    replacement: '',
    killedBy: { file, test: 'finds nothing that is due in a closed organization, and starts no scan in it' },
  },
  {
    name: 'An organization is closed although its export cannot be written',
    file: 'src/main/backup-file.ts',
    search: 'throw notWritten(path, error);',
    replacement: '',
    killedBy: completely('closes nothing if the export cannot be written'),
  },
  {
    name: 'An organization is closed although a link has the name of its export',
    file: 'src/main/backup-file.ts',
    search: 'if (await lstat(path).catch(() => null)) throw',
    replacement: 'if (await stat(path).catch(() => null)) throw',
    killedBy: { file: 'src/main/backup-file.test.ts', test: 'is not created over a link to nothing' },
  },
  {
    name: 'A deletion continues with an export whose files were changed',
    file: 'src/backup/read-export.ts',
    search: ' && isDeepStrictEqual(named, parts)',
    replacement: ' && isDeepStrictEqual(named, named)',
    killedBy: completely(
      'after a deletion that was killed when its export was complete > deletes nothing if the file is changed',
    ),
  },
  {
    name: 'Another file takes the name of an export',
    file: 'src/main/backup-file.ts',
    search: 'if (!(await this.#hasName())) {',
    replacement: 'if (await this.#hasName().then(() => false)) {',
    killedBy: {
      file: 'src/main/backup-file.test.ts',
      test: 'writes to no other file that gets its name meanwhile',
    },
  },
  {
    name: 'Damaged evidence is deleted without a decision of the operator',
    file: 'src/main/delete-organization.ts',
    search: 'if (manifest && !withoutDamaged) assertIntact(manifest);',
    replacement: '',
    killedBy: completely('exports the rest if a file of evidence is changed, and deletes it only on demand'),
  },
];
