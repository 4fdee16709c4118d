import type { Severity } from '../../../contract/severity.ts';
import { weakestOf } from '../../ciphers.ts';
import type { Check } from '../../detector.ts';
import { configurationChecks as checks } from './checks.ts';

/** What is wrong with a setting's value. */
export interface SettingRule {
  readonly check: Check;
  readonly setting: string;
  /** Whether the value, as the server writes it, is a flaw. */
  readonly isFlaw: (value: string) => boolean;
  /** Why, as the end of a sentence about the setting. */
  readonly because: string;
  readonly severity?: Severity;
  /** A managed service decides it: customers cannot change it, or it does not matter there. */
  readonly ofService?: true;
}

const is = (flaw: string) => (value: string) => value === flaw;
const on = is('on');
const off = is('off');
const secret = is('secret');
const rule = (
  check: Check,
  setting: string,
  isFlaw: SettingRule['isFlaw'],
  because: string,
  more: Pick<SettingRule, 'severity' | 'ofService'> = {},
): SettingRule => ({ check, setting, isFlaw, because, ...more });
const ofService = { ofService: true } as const;

/** Folders in which every user of the machine can create files, and folders of people. */
const writable = /^(?:\/(?:tmp|var\/tmp|dev\/shm|home|Users)(?:\/|$)|\.{1,2}(?:\/|$)|~)/;

/** A list of libraries or folders with one that others may write. A name without a folder is found in the path. */
export function hasWritableFolder(separator: string) {
  return (value: string) =>
    value
      .split(separator)
      .map(entry => entry.trim().replace(/^"|"$/g, ''))
      .some(entry => entry !== '' && writable.test(entry));
}
/** An empty part of a path means the server's current folder. */
export const unsafePath = (value: string) => value === '' || hasWritableFolder(':')(value);

/** The curves that RFC 8422 and NIST no longer allow, or of less than 224 bits. */
const weakCurve = /(?:secp|sect|prime|wtls|oakley|c2pnb|c2tnb)(?:1[0-9]{2}|2[0-2]\d)/i;

export const settingRules: readonly SettingRule[] = [
  rule(checks.tlsCiphers, 'ssl_ciphers', list => weakestOf(list) === 'weak', 'it allows weak ciphers'),
  rule(
    checks.tlsCiphers,
    'ssl_ciphers',
    list => weakestOf(list) === 'medium',
    'it allows 3DES and others of medium strength, if the server’s OpenSSL has them',
    { severity: 'info' },
  ),
  rule(checks.tlsCiphers, 'ssl_prefer_server_ciphers', off, 'clients choose the cipher', {
    severity: 'low',
    ...ofService,
  }),
  rule(checks.tlsCiphers, 'ssl_ecdh_curve', value => weakCurve.test(value), 'it allows a weak curve'),
  rule(checks.tlsCiphers, 'ssl_groups', value => weakCurve.test(value), 'it allows a weak curve'),

  rule(checks.damageIgnored, 'zero_damaged_pages', on, 'damaged pages are overwritten with zeros', ofService),
  rule(
    checks.damageIgnored,
    'data_sync_retry',
    on,
    'data that the operating system dropped counts as written',
    ofService,
  ),
  rule(checks.damageIgnored, 'ignore_checksum_failure', on, 'pages with wrong checksums are used', ofService),
  rule(checks.damageIgnored, 'ignore_invalid_pages', on, 'recovery continues past lost pages', ofService),
  rule(checks.damageIgnored, 'ignore_system_indexes', on, 'indexes of the catalogs are not used', {
    severity: 'medium',
    ...ofService,
  }),

  rule(checks.protectionOff, 'allow_system_table_mods', on, 'catalogs can be changed', ofService),
  rule(checks.protectionOff, 'allow_in_place_tablespaces', on, 'it is for tests only', {
    severity: 'low',
    ...ofService,
  }),
  rule(
    checks.protectionOff,
    'session_replication_role',
    value => value !== 'origin',
    'triggers and foreign keys do not apply',
  ),
  rule(checks.protectionOff, 'event_triggers', off, 'event triggers do not run'),
  rule(
    checks.protectionOff,
    'check_function_bodies',
    off,
    'errors in new functions show only when they run',
    {
      severity: 'low',
    },
  ),
  rule(checks.protectionOff, 'escape_string_warning', off, 'backslashes in strings cause no warning', {
    severity: 'info',
  }),
  rule(
    checks.protectionOff,
    'row_security',
    off,
    'queries fail instead of being filtered, so that roles get around it',
    { severity: 'low' },
  ),
  rule(checks.protectionOff, 'lo_compat_privileges', on, 'large objects have no access checks'),
  rule(
    checks.protectionOff,
    'standard_conforming_strings',
    off,
    'backslashes in strings are escapes, which helps injections',
  ),
  rule(
    checks.protectionOff,
    'backslash_quote',
    on,
    'a backslash can hide a quotation mark, which helps injections',
  ),
  rule(checks.protectionOff, 'db_user_namespace', on, 'roles are looked up by database, without SCRAM'),
  rule(checks.protectionOff, 'krb_caseins_users', on, 'Kerberos names are compared without case', {
    severity: 'low',
  }),
  rule(checks.protectionOff, 'gss_accept_delegation', on, 'the server receives credentials of its clients', {
    severity: 'low',
  }),

  rule(checks.scramIterations, 'scram_iterations', value => Number(value) < 4096, 'the default is 4096'),
  rule(checks.authenticationTimeout, 'authentication_timeout', value => Number(value) > 60, 'in seconds'),

  rule(
    checks.libraryPath,
    'dynamic_library_path',
    unsafePath,
    'it names a folder that others may write',
    ofService,
  ),
  rule(
    checks.libraryPath,
    'extension_control_path',
    hasWritableFolder(':'),
    'it names a folder that others may write',
    ofService,
  ),
  rule(
    checks.libraryPath,
    'shared_preload_libraries',
    hasWritableFolder(','),
    'it names a folder that others may write',
    ofService,
  ),
  rule(
    checks.libraryPath,
    'session_preload_libraries',
    hasWritableFolder(','),
    'it names a folder that others may write',
    ofService,
  ),
  rule(
    checks.libraryPath,
    'local_preload_libraries',
    hasWritableFolder(','),
    'it names a folder that others may write',
    ofService,
  ),

  rule(checks.storedPassword, 'primary_conninfo', secret, 'it contains a password', ofService),
  rule(checks.storedPassword, 'archive_command', secret, 'it contains a password or key', ofService),
  rule(checks.storedPassword, 'restore_command', secret, 'it contains a password or key', ofService),
  rule(checks.storedPassword, 'ssl_passphrase_command', secret, 'it prints the passphrase itself', ofService),

  rule(
    checks.limits,
    'superuser_reserved_connections',
    is('0'),
    'administrators cannot connect to a full server',
    ofService,
  ),
  rule(checks.limits, 'temp_file_limit', is('-1'), 'temporary files may fill the disk', {
    severity: 'info',
    ...ofService,
  }),
];
