import { exportPerson } from '../../backup/export-person.ts';
import { withOwner } from '../../database/with-owner.ts';
import { assertNotLastOwner, deletePerson } from '../../resources/people/delete-person.ts';
import { writeWhole } from '../backup-file.ts';
import { confirm, type ExportOptions, givenExport } from '../confirm.ts';
import { operator } from '../operator.ts';
import { type DataOption, print } from './operator.ts';
import { withAccount } from './with-account.ts';

type Options = DataOption & { readonly json?: boolean };

/** `parapet people export`. */
export async function exportAccount(email: string, file: string, options: Options): Promise<void> {
  await withAccount(email, options, (_storage, { id }, connection) =>
    withOwner(connection, 'parapet-export', owner => writeWhole(file, () => exportPerson(owner, id))),
  );
  print(
    options.json,
    { email, file },
    () => `Exported the account of ${email} to ${file}. It is not encrypted.`,
  );
}

/** `parapet people delete`. */
export async function deleteAccount(email: string, options: Options & ExportOptions): Promise<void> {
  const file = givenExport(options);
  await withAccount(email, options, async (storage, account, connection) => {
    // Nothing is asked or written if the account cannot be deleted.
    await assertNotLastOwner(storage.people, account);
    await confirm(account.email, options.yes);
    if (file !== undefined) {
      await withOwner(connection, 'parapet-export', owner =>
        writeWhole(file, () => exportPerson(owner, account.id)),
      );
    }
    const tenant = (id: string) => storage.tenant(id, operator);
    await deletePerson({ people: storage.people, tenant }, account, operator);
  });
  print(options.json, { email, export: file ?? null }, () =>
    [
      ...(file === undefined ? [] : [`Exported the account of ${email} to ${file}.`]),
      `Deleted the account of ${email}: sessions, ways to sign in, own views, name and address. Records of organizations keep the name that the person had there.`,
      'Backups from before still contain the account, and a restore brings it back.',
    ].join('\n'),
  );
}
