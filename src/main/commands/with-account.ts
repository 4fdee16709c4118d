import type { ConnectionSettings } from '../../database/connection.ts';
import { type Account, findAccount } from '../../resources/people/accounts.ts';
import type { Storage } from '../../resources/storage.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { type DataOption, withStorage } from './operator.ts';

/** The same as `withStorage`, for the account of an email address. Throws `ConfigurationError` if there is none. */
export function withAccount<T>(
  email: string,
  options: DataOption,
  work: (storage: Storage, account: Account, owner: ConnectionSettings) => Promise<T>,
): Promise<T> {
  return withStorage(options, async (storage, owner) => {
    const account = await findAccount(storage.people, email);
    if (!account) throw new ConfigurationError(`no account found for ${email}`);
    return work(storage, account, owner);
  });
}
