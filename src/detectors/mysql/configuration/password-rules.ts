import { configurationChecks as checks } from './checks.ts';
import { below, info, isOff, off, rule, type SettingRule } from './rule.ts';

/** Strength rules apply from the policy MEDIUM, which is 1. */
const isCounted = (policy: string | undefined) => policy !== undefined && !/^(?:LOW|0)$/i.test(policy);

/** Settings of MySQL’s validate_password: a plugin with underscores until 5.7, later a component with dots. */
const ofValidation = ['validate_password.', 'validate_password_'].flatMap(prefix => {
  const counted = (name: string, of: string) =>
    rule(
      checks.passwordPolicy,
      `${prefix}${name}`,
      (value, variables) => value === '0' && isCounted(variables[`${prefix}policy`]),
      `passwords need no ${of}`,
    );
  return [
    rule(
      checks.passwordPolicy,
      `${prefix}policy`,
      value => /^(?:LOW|0)$/i.test(value),
      'only the length of passwords is checked',
    ),
    ...lengthOf(`${prefix}length`),
    rule(checks.passwordPolicy, `${prefix}check_user_name`, off, 'a password may be the name of its account'),
    counted('number_count', 'digits'),
    counted('mixed_case_count', 'letters of both cases'),
    counted('special_char_count', 'special characters'),
  ];
});

function lengthOf(setting: string): SettingRule[] {
  return [
    rule(checks.passwordPolicy, setting, below(8), 'passwords may have fewer than 8 characters'),
    rule(
      checks.passwordPolicy,
      setting,
      value => Number(value) >= 8 && Number(value) < 14,
      'benchmarks require 14 characters',
      info,
    ),
  ];
}

/** The strength of new passwords. */
export const passwordRules: readonly SettingRule[] = [
  ...ofValidation,
  ...lengthOf('simple_password_check_minimal_length'),
  rule(checks.passwordPolicy, 'simple_password_check_digits', below(1), 'passwords need no digits'),
  rule(
    checks.passwordPolicy,
    'simple_password_check_letters_same_case',
    below(1),
    'passwords need no letters of both cases',
  ),
  rule(
    checks.passwordPolicy,
    'simple_password_check_other_characters',
    below(1),
    'passwords need no special characters',
  ),
  rule(
    checks.passwordPolicy,
    'strict_password_validation',
    (value, variables) => isOff(value) && variables.simple_password_check_minimal_length !== undefined,
    'hashes of passwords that were never checked are accepted',
  ),
];
