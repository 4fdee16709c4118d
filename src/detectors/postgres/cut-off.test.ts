import { expect, it } from 'vitest';
import { targetLimits } from '../../evidence/limits.ts';
import { detectorsFor } from '../catalogue.ts';
import { evidenceWith, hbaRule, listed, policy, role, superuser } from './hardened-evidence.ts';

const rows = <T>(count: number, of: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => of(index));

function reasonsOf(changes: Parameters<typeof evidenceWith>[0]): Map<string, string> {
  const detections = detectorsFor('postgres').map(detector => detector.detect(evidenceWith(changes)));
  const all = detections.flatMap(({ notAssessed }) => notAssessed);
  return new Map(all.map(({ check, reason }) => [check, reason]));
}

it('does not assess more restrictive policies of a table than it compares', () => {
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
  ['names of users', [hbaRule({ users: rows(targetLimits.hbaNames + 1, index => `u${index}`) })]],
])('does not assess more %s of pg_hba.conf than it compares', (_, rules) => {
  const { hbaRules, hbaNames } = targetLimits;
  const reason = `pg_hba.conf has more than ${hbaRules} rules or ${hbaNames} names of users.`;
  expect([...reasonsOf({ hba_rules: listed(...rules) }).values()]).toContain(reason);
  expect([...reasonsOf({ hba_rules: listed(...rules.slice(1)) }).values()]).not.toContain(reason);
});

it('does not assess more superusers than it compares', () => {
  const roles = rows(targetLimits.superusers + 1, index => role(`r${index}`, superuser));
  const reason = `The server has more than ${targetLimits.superusers} superusers.`;
  expect([...reasonsOf({ roles: listed(...roles) }).values()]).toContain(reason);
  expect([...reasonsOf({ roles: listed(...roles.slice(1)) }).values()]).not.toContain(reason);
});
