import { access, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { encrypted } from '../backup/encryption.ts';
import type { Keep } from '../backup/kept-backups.ts';
import { makeFolder } from '../domain/make-folder.ts';
import { giveUpRoot } from '../private-postgres/give-up-root.ts';
import { writeFailure } from './backup-file.ts';
import { encryptionKeys } from './backup-keys.ts';
import type { Configuration } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';

/** Backups that `serve` makes each day. */
export interface BackupSchedule {
  /** Absolute path. */
  readonly folder: string;
  /** Minutes after midnight, UTC. */
  readonly minute: number;
  readonly keep: Keep;
}

const [usualTime, usualKeep] = ['02:00', '7/4/12'];

/** Undefined without `PARAPET_BACKUP_DIR`. Throws `ConfigurationError`. */
export function readBackupSchedule(env: NodeJS.ProcessEnv): BackupSchedule | undefined {
  const folder = env.PARAPET_BACKUP_DIR || undefined;
  const time = env.PARAPET_BACKUP_TIME || undefined;
  const keep = env.PARAPET_BACKUP_KEEP || undefined;
  if (folder === undefined) {
    const without = time ? 'PARAPET_BACKUP_TIME' : keep && 'PARAPET_BACKUP_KEEP';
    if (without) throw new ConfigurationError(`${without} requires PARAPET_BACKUP_DIR`);
    return undefined;
  }
  return {
    folder: resolve(folder),
    minute: minuteOf(time ?? usualTime),
    keep: readKeep('PARAPET_BACKUP_KEEP', keep ?? usualKeep),
  };
}

function minuteOf(value: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(value) ?? [];
  if (hours === undefined)
    throw new ConfigurationError(
      `PARAPET_BACKUP_TIME must be a time in UTC such as ${usualTime}, not ${JSON.stringify(value)}`,
    );
  return Number(hours) * 60 + Number(minutes);
}

/** @param name for the error */
export function readKeep(name: string, value: string): Keep {
  const [, days, weeks, months] = /^(\d{1,4})\/(\d{1,4})\/(\d{1,4})$/.exec(value) ?? [];
  if (days === undefined)
    throw new ConfigurationError(
      `${name} must be the numbers of days, weeks and months, such as ${usualKeep}, not ${JSON.stringify(value)}`,
    );
  return { days: Number(days), weeks: Number(weeks), months: Number(months) };
}

/** The last time at which the scheduled backup became due. */
export function lastDue({ minute }: BackupSchedule, now: Date): Date {
  const due = new Date(now);
  due.setUTCHours(0, minute, 0, 0);
  if (due > now) due.setUTCDate(due.getUTCDate() - 1);
  return due;
}

/**
 * Makes the folder if it is missing, as the user who makes the backups. Throws `ConfigurationError` if no backup can be written into it, or if
 * its keys cannot be read.
 */
export async function prepareBackups(
  { folder }: BackupSchedule,
  { databaseUrl, dataDirectory }: Configuration,
  log?: (event: string, fields: object) => void,
): Promise<void> {
  if (!databaseUrl) await giveUpRoot(dataDirectory, log);
  try {
    await makeFolder(folder, 0o700);
    if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigurationError(
      `PARAPET_BACKUP_DIR: ${folder} is not a folder that can be written: ${writeFailure(error)}`,
    );
  }
  const keys = await encryptionKeys({});
  if (keys) (await encrypted(Readable.from([]), keys)).destroy();
}
