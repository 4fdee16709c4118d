import { hasWritableFolder, type SettingRule, unsafePath } from './rules.ts';

/** Values that are weaker than the server's default, where a role or database has them. */
export const overrideRules: readonly Pick<SettingRule, 'setting' | 'isFlaw' | 'because' | 'severity'>[] = [
  {
    setting: 'session_replication_role',
    isFlaw: value => value !== 'origin',
    because: 'triggers and foreign keys do not apply',
  },
  { setting: 'row_security', isFlaw: isOff, because: 'row security is not applied', severity: 'low' },
  { setting: 'lo_compat_privileges', isFlaw: isOn, because: 'large objects have no access checks' },
  {
    setting: 'standard_conforming_strings',
    isFlaw: isOff,
    because: 'backslashes in strings are escapes',
    severity: 'low',
  },
  {
    setting: 'backslash_quote',
    isFlaw: isOn,
    because: 'a backslash can hide a quotation mark',
    severity: 'low',
  },
  {
    setting: 'zero_damaged_pages',
    isFlaw: isOn,
    because: 'damaged pages are overwritten with zeros',
    severity: 'high',
  },
  {
    setting: 'ignore_checksum_failure',
    isFlaw: isOn,
    because: 'pages with wrong checksums are used',
    severity: 'high',
  },
  { setting: 'allow_system_table_mods', isFlaw: isOn, because: 'catalogs can be changed' },
  {
    setting: 'password_encryption',
    isFlaw: value => value === 'md5',
    because: 'passwords that it sets are stored as MD5',
  },
  {
    setting: 'scram_iterations',
    isFlaw: value => Number(value) < 4096,
    because: 'verifiers use few iterations',
    severity: 'low',
  },
  {
    setting: 'pgaudit.log',
    isFlaw: value => value === '' || /^\s?none\s?$/i.test(value),
    because: 'pgaudit records nothing',
  },
  {
    setting: 'log_min_messages',
    isFlaw: value => /^(?:error|log|fatal|panic)$/i.test(value),
    because: 'warnings are not logged',
    severity: 'low',
  },
  {
    setting: 'log_min_error_statement',
    isFlaw: value => /^(?:log|fatal|panic)$/i.test(value),
    because: 'statements with errors are not logged',
    severity: 'low',
  },
  {
    setting: 'session_preload_libraries',
    isFlaw: hasWritableFolder(','),
    because: 'it names a folder that others may write',
    severity: 'high',
  },
  {
    setting: 'local_preload_libraries',
    isFlaw: hasWritableFolder(','),
    because: 'it names a folder that others may write',
    severity: 'high',
  },
  {
    setting: 'dynamic_library_path',
    isFlaw: unsafePath,
    because: 'it names a folder that others may write',
    severity: 'high',
  },
];

/** As written in the statement, not as the server would. */
function isOn(value: string): boolean {
  return /^(?:on|t(?:rue)?|y(?:es)?|1)$/i.test(value);
}
function isOff(value: string): boolean {
  return /^(?:off?|f(?:alse)?|no?|0)$/i.test(value);
}
