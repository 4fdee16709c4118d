import { expect, it } from 'vitest';
import { targetLimits } from '../../captures/limits.ts';
import { detectorsFor } from '../catalogue.ts';
import { captureWith, hbaRule, listed, policy, role, superuser } from './hardened-capture.ts';

const rows = <T>(count: number, of: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => of(index));

function reasonsOf(changes: Parameters<typeof captureWith>[0]): Map<string, string> {
  const detections = detectorsFor('postgres').map(detector => detector.detect(captureWith(changes)));
  const all = detections.flatMap(({ notAssessed }) => notAssessed);
  return new Map(all.map(({ check, reason }) => [check, reason]));
}

it('does not assess a table with more restrictive policies than it compares', () => {
  const of = (count: number) =>
    reasonsOf({
      policies: listed(...rows(count, index => policy({ name: `p${index}`, permissive: false }))),
    });
  const reason = `A table has more than ${targetLimits.restrictivePolicies} restrictive policies.`;
  expect([...of(targetLimits.restrictivePolicies).values()]).not.toContain(reason);
  expect([...of(targetLimits.restrictivePolicies + 1).values()]).toContain(reason);
});

it.each([
  ['rules', rows(targetLimits.hbaRules + 1, () => hbaRule())],
  ['user names', [hbaRule({ users: rows(targetLimits.hbaNames + 1, index => `u${index}`) })]],
])('does not assess more %s of pg_hba.conf than it compares', (_, rules) => {
  const { hbaRules, hbaNames } = targetLimits;
  const reason = `pg_hba.conf has more than ${hbaRules} rules or ${hbaNames} user names.`;
  expect([...reasonsOf({ hba_rules: listed(...rules) }).values()]).toContain(reason);
  expect([...reasonsOf({ hba_rules: listed(...rules.slice(1)) }).values()]).not.toContain(reason);
});

it('does not assess a superuser with more roles than it compares', () => {
  const groups = rows(targetLimits.memberships + 1, index => `g${index}`);
  const reason = `A superuser was granted more than ${targetLimits.memberships} roles.`;
  const of = (member_of: string[]) => [
    ...reasonsOf({ roles: listed(role('r', { ...superuser, member_of })) }).values(),
  ];
  expect(of(groups)).toContain(reason);
  expect(of(groups.slice(1))).not.toContain(reason);
});

it.each([
  [
    'unread',
    'A policy has a condition that is longer or deeper than what a scan reads.',
    ['postgres.rls_policy_always_true', 'postgres.sensitive_column_exposed'],
  ],
  [
    'skipped',
    'The condition of a policy was not read: it is very long, or another session has locked its table.',
    [
      'postgres.rls_policy_always_true',
      'postgres.rls_policy_user_metadata',
      'postgres.sensitive_column_exposed',
    ],
  ],
] as const)('does not assess policies with %s conditions', (using, reason, checks) => {
  const reasons = reasonsOf({ policies: listed(policy({ using })) });
  const unassessed = [...reasons].filter(([, why]) => why === reason).map(([check]) => check);
  expect(unassessed.sort()).toEqual(checks);
});

it('does not assess more superusers than it compares', () => {
  const roles = rows(targetLimits.superusers + 1, index => role(`r${index}`, superuser));
  const reason = `The server has more than ${targetLimits.superusers} superusers.`;
  expect([...reasonsOf({ roles: listed(...roles) }).values()]).toContain(reason);
  expect([...reasonsOf({ roles: listed(...roles.slice(1)) }).values()]).not.toContain(reason);
});
