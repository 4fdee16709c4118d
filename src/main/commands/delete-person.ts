import { exportPerson } from '../../backup/export-person.ts';
import { withOwner } from '../../database/with-owner.ts';
import { type Account, findAccount } from '../../resources/people/accounts.ts';
import { deletePerson } from '../../resources/people/delete-person.ts';
import type { Storage } from '../../resources/storage.ts';
import { writeWhole } from '../backup-file.ts';
import { ConfigurationError } from '../configuration.ts';
import { confirm, type ExportOptions, givenExport } from '../confirm.ts';
import { operator } from '../operator.ts';
import { type DataOption, print, withStorage } from './operator.ts';

type Options = DataOption & { readonly json?: boolean };

/** `parapet people export`. */
export async function exportAccount(email: string, file: string, options: Options): Promise<void> {
  await withStorage(options, async (storage, connection) => {
    const { id } = await account(storage, email);
    await withOwner(connection, 'parapet-export', owner => writeWhole(file, exportPerson(owner, id)));
  });
  print(
    options.json,
    { email, file },
    () => `Exported the account of ${email} to ${file}. It is not encrypted.`,
  );
}

/** `parapet people delete`. */
export async function deleteAccount(email: string, options: Options & ExportOptions): Promise<void> {
  const file = givenExport(options);
  await withStorage(options, async (storage, connection) => {
    const found = await account(storage, email);
    await confirm(found.email, options.yes);
    if (file !== undefined) {
      await withOwner(connection, 'parapet-export', owner => writeWhole(file, exportPerson(owner, found.id)));
    }
    const tenant = (id: string) => storage.tenant(id, operator);
    await deletePerson({ people: storage.people, tenant }, found, operator);
  });
  print(options.json, { email, export: file ?? null }, () =>
    [
      ...(file === undefined ? [] : [`Exported the account of ${email} to ${file}.`]),
      `Deleted the account of ${email}: sessions, ways to sign in, own views, name and address. Records of organizations keep the name that the person had there.`,
      'Backups from before still contain the account, and a restore brings it back.',
    ].join('\n'),
  );
}

async function account(storage: Storage, email: string): Promise<Account> {
  const found = await findAccount(storage.people, email);
  if (!found) throw new ConfigurationError(`no account found for ${email}`);
  return found;
}
