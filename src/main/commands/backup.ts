import { readFile, stat } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { EncryptionKeys } from '../../backup/encryption.ts';
import { recorded } from '../../backup/recorded-backups.ts';
import { keyPath, restoreKey } from '../../resources/credentials/key-files.ts';
import { deleteOldBackups, pathOfBackup } from '../backup-file.ts';
import { decryptionKeys, encryptionKeys, type KeyOptions } from '../backup-keys.ts';
import { lastDue, prepareBackups, readBackupSchedule, readKeep } from '../backup-schedule.ts';
import { type Configuration, readConfiguration } from '../configuration.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { makeBackup } from '../make-backup.ts';
import { openDatabase } from '../open-storage.ts';
import { rehearse } from '../rehearse-restore.ts';
import { restoreInto } from '../restore.ts';
import { type DataOption, print, refuseEmpty, repeatable, withData } from './operator.ts';

interface Options extends DataOption, KeyOptions {
  readonly json?: boolean;
  readonly withMasterKey?: boolean;
  readonly keep?: string;
  readonly scheduled?: boolean;
}

const withDecryption = (command: Command) =>
  command
    .option('--passphrase-file <file>', 'file with the passphrase (PARAPET_BACKUP_PASSPHRASE_FILE)')
    .option('--identity-file <file>', 'file with identities of age (AGE-SECRET-KEY-…)')
    .option('--json', 'print JSON');

export function addBackup(program: Command): void {
  const backup = withData(program.command('backup').description('back up the installation while it runs'))
    .enablePositionalOptions()
    .argument('[to]', 'file, existing folder, or - for standard output (PARAPET_BACKUP_DIR)')
    .option(
      '--passphrase-file <file>',
      'encrypt to the passphrase in this file (PARAPET_BACKUP_PASSPHRASE_FILE)',
    )
    .option(
      '--recipient <age1…>',
      'encrypt to this recipient of age; repeatable (PARAPET_BACKUP_RECIPIENTS)',
      repeatable,
    )
    .option('--with-master-key', 'include the master key of the data folder; the backup must be encrypted')
    .option(
      '--keep <days/weeks/months>',
      'delete older backups of this installation in the folder, such as 7/4/12',
    )
    .addOption(new Option('--scheduled', 'only if the backup of the day is missing').hideHelp())
    .option('--json', 'print JSON')
    .action(write);
  withDecryption(
    backup
      .command('verify')
      .description('restore a backup into a temporary database, and verify it')
      .argument('<file>'),
  ).action(verify);
}

export function addRestore(program: Command): void {
  withDecryption(
    withData(
      program.command('restore').description('restore a backup into an empty data folder or database'),
    ).argument('<from>', 'file, or - for standard input'),
  ).action(restore);
}

async function write(given: string | undefined, options: Options): Promise<void> {
  const configuration = readConfiguration(process.env, options);
  await refuseEmpty(configuration);
  const schedule = readBackupSchedule(process.env);
  const scheduled = options.scheduled ? schedule : undefined;
  if (given === undefined && schedule) await prepareBackups(schedule, configuration);
  const to = given ?? schedule?.folder;
  if (to === undefined) throw new ConfigurationError('parapet backup requires a file, a folder or -');
  const keep = options.keep === undefined ? scheduled?.keep : readKeep('--keep', options.keep);
  if (keep && !(await stat(to).catch(() => null))?.isDirectory())
    throw new ConfigurationError('--keep requires a folder of backups');
  const keys = await encryptionKeys(options);
  const path = to === '-' ? to : await pathOfBackup(to, new Date(), keys !== undefined);
  const dueSince = scheduled && lastDue(scheduled, new Date());
  const database = await openDatabase(configuration);
  try {
    // Here, where root has become the owner of the data folder, who can replace the file with a link.
    const masterKey = options.withMasterKey ? await masterKeyOf(configuration, keys) : undefined;
    const connection = database.direct ?? database.connection;
    const made = await recorded(connection, dueSince, () =>
      makeBackup(connection, { path, masterKey, keys }),
    );
    if (!made) return print(options.json, { file: null }, () => 'The backup of the day exists already.');
    const deleted = keep ? await deleteOldBackups(to, made.files, keep) : [];
    if (path === '-') return;
    const { madeAt: created_at, rows, bytes, encrypted } = made.backup;
    print(options.json, { file: path, created_at, rows, bytes, encrypted, deleted }, () =>
      [
        `Backed up ${rows} rows to ${path}`,
        ...(encrypted ? [] : ['It is not encrypted.']),
        ...deleted.map(name => `Deleted ${name}`),
      ].join('\n'),
    );
  } finally {
    await database.close();
  }
}

async function masterKeyOf(
  { masterKey, dataDirectory }: Configuration,
  keys: EncryptionKeys | undefined,
): Promise<Buffer> {
  if (!keys)
    throw new ConfigurationError(
      '--with-master-key requires an encrypted backup: give --passphrase-file or --recipient',
    );
  if (masterKey) {
    throw new ConfigurationError(
      '--with-master-key is for the key in the data folder: keep PARAPET_MASTER_KEY where it is from',
    );
  }
  return readFile(keyPath(dataDirectory));
}

async function verify(file: string, options: Options): Promise<void> {
  const { header, rows, manifest } = await rehearse(file, await decryptionKeys(options));
  const logs = manifest.audit_heads.length;
  print(
    options.json,
    { file, created_at: header.created_at, rows, audit_logs: logs, valid: true },
    () => `${file} of ${header.created_at} can be restored: ${rows} rows, ${logs} audit logs verified`,
  );
}

async function restore(from: string, options: Options): Promise<void> {
  const configuration = readConfiguration(process.env, options);
  const keys = await decryptionKeys(options);
  const database = await openDatabase(configuration);
  let removeKey: (() => Promise<void>) | undefined;
  const takeKey = async (key: string) => {
    if (!configuration.databaseUrl) removeKey = await restoreKey(configuration.dataDirectory, key);
  };
  try {
    const { header, rows, manifest } = await restoreInto(database, from, keys, takeKey).catch(async error => {
      await removeKey?.();
      throw error;
    });
    const hasKey = removeKey !== undefined;
    const isEncrypted = ['source_credentials', 'totp_factors', 'evidence'].some(
      table => (manifest.rows[table] ?? 0) > 0,
    );
    const { created_at } = header;
    print(
      options.json,
      { created_at, rows, audit_logs: manifest.audit_heads.length, master_key: hasKey },
      () =>
        [
          `Restored ${rows} rows of ${created_at}; ${manifest.audit_heads.length} audit logs verified.`,
          ...(isEncrypted && !hasKey ? [keyNeeded(configuration)] : []),
          'Keys that were revoked after the backup are valid again: parapet keys list shows them. People sign in again.',
        ].join('\n'),
    );
  } finally {
    await database.close();
  }
}

function keyNeeded({ databaseUrl, dataDirectory }: Configuration): string {
  const key =
    'the master key of the backed up installation (master.key in its data folder, or its PARAPET_MASTER_KEY)';
  return databaseUrl
    ? `Start the service with ${key} as PARAPET_MASTER_KEY: no other one can read what is encrypted.`
    : `Before you start the service, put ${key} into ${keyPath(dataDirectory)}.`;
}
