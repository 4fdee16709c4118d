import type pg from 'pg';
import { version } from '../domain/version.ts';
import { codeOf, insufficientPrivilege } from './error-codes.ts';
import { compareMigrations } from './migrations.ts';
import { findRoles, type Roles } from './roles.ts';
import { sessionSettings } from './session-settings.ts';
import { StorageError } from './storage-error.ts';

/**
 * The logins of a database that this release has prepared, for a process that does not change it. Throws `StorageError` if it is not
 * prepared, or if a role's settings were changed since.
 *
 * @param how prepares it, as part of a sentence
 */
export async function preparedRoles(node: pg.ClientBase, how: string): Promise<Roles> {
  const { missing, isNewer } = await readable(compareMigrations(node), how);
  if (missing[0]?.version === 1) throw new StorageError(`The database has no Parapet installation: ${how}`);
  if (missing[0]) throw new StorageError(`This release changes the database (${missing[0].name}): ${how}`);
  if (!isNewer) {
    const releases = await readable(node.query('select from releases where version = $1', [version]), how);
    if (!releases.rowCount)
      throw new StorageError(`The database is not prepared for release ${version}: ${how}`);
  }
  const database = (await node.query<{ name: string }>('select current_database() as name')).rows[0]!.name;
  const roles = await readable(findRoles(node, database), how);
  if (!roles) throw new StorageError(`The database lacks its roles: ${how}`);
  // A newer release may have given them others.
  for (const { user } of isNewer ? [] : [roles.app, roles.system]) {
    const changed = await changedSettings(node, user);
    if (changed.length > 0) {
      throw new StorageError(
        `The role ${user} has other settings (${changed.join(', ')}) than Parapet gave it: ${how}`,
      );
    }
  }
  return roles;
}

/** Adds to PostgreSQL's refusal what helps. */
async function readable<T>(reading: Promise<T>, how: string): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) !== insufficientPrivilege) throw error;
    throw new StorageError(
      `The role of DATABASE_URL may not read what nodes need (${(error as Error).message}): ${how}`,
    );
  }
}

/** Names of the settings that are missing, added or different, in this database or in all. */
async function changedSettings(node: pg.ClientBase, role: string): Promise<string[]> {
  const { rows } = await node.query<{ settings: string[] }>(
    `select coalesce(setconfig, '{}') as settings from pg_db_role_setting
      where setrole = (select oid from pg_roles where rolname = $1)
        and setdatabase in (0, (select oid from pg_database where datname = current_database()))`,
    [role],
  );
  const set = new Map<string, string>();
  for (const entry of rows.flatMap(({ settings }) => settings)) {
    const end = entry.indexOf('=');
    set.set(entry.slice(0, end), entry.slice(end + 1));
  }
  const names = new Set([...set.keys(), ...Object.keys(sessionSettings)]);
  return [...names].filter(name => set.get(name) !== sessionSettings[name]);
}
