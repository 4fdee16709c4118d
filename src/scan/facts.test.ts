import { expect, it } from 'vitest';
import type { MysqlAccount, MysqlCapture } from '../captures/mysql.ts';
import type { PostgresCapture } from '../captures/postgres.ts';
import { captureWith, hbaRule, listed, role } from '../detectors/postgres/hardened-capture.ts';
import { driftEvents, knownFacts } from '../probe/drift.ts';
import { type Facts, factsOf } from './facts.ts';

function changesBetween(before: Facts, now: Facts): string[] {
  const known = knownFacts(undefined, before);
  const factsAt = Object.fromEntries(before.map(([area]) => [area, '2026-11-26T08:00:00Z']));
  const events = driftEvents('source', { facts: known, factsAt }, knownFacts(known, now));
  return events.flatMap(event =>
    event.kind === 'probe.drift'
      ? event.changes.map(({ area, name, change }) => `${area} ${name} ${change}`)
      : [],
  );
}

const changesOf = (before: Partial<PostgresCapture>, now: Partial<PostgresCapture>) =>
  changesBetween(factsOf('postgres', captureWith(before)), factsOf('postgres', captureWith(now)));

it('compares all roles that a role was granted, also those that are not listed', () => {
  const of = (memberships_hash: string) => ({ roles: listed(role('r', { memberships_hash })) });
  expect(changesOf(of('1'), of('2'))).toEqual(['role r changed']);
});

const rules = (...changes: Parameters<typeof hbaRule>[0][]) => ({
  hba_rules: listed(...changes.map(hbaRule)),
});
const order = 'access_rule order of all rules changed';
const [wide, narrow, none] = ['255.0.0.0', '255.255.0.0', '0.0.0.0'].map(netmask => ({ netmask }));
const ruleOf = (netmask: string) => `access_rule ${nameOf(hbaRule({ netmask }))}`;
const nameOf = ({ type, databases, users, address, netmask, method }: ReturnType<typeof hbaRule>) =>
  [type, databases.join(), users.join(), address, netmask, method].join(' ');

it('notices a rule for a larger network', () => {
  expect(changesOf(rules(narrow), rules(none))).toEqual([
    `${ruleOf('255.255.0.0')} removed`,
    order,
    `${ruleOf('0.0.0.0')} added`,
  ]);
});

it('notices the removal of one of two rules that differ by their network only', () => {
  expect(changesOf(rules(wide, narrow), rules(wide))).toEqual([`${ruleOf('255.255.0.0')} removed`, order]);
});

it('notices the removal of one of two equal rules', () => {
  expect(changesOf(rules(wide, wide), rules(wide))).toEqual([`${ruleOf('255.0.0.0')} changed`, order]);
});

it('notices that a rule comes before another', () => {
  const [reject, trust] = [{ method: 'reject' }, { method: 'trust' }];
  expect(changesOf(rules(reject, trust), rules(trust, reject))).toEqual([order]);
  expect(changesOf(rules(reject, trust), rules(reject, trust))).toEqual([]);
});

it('does not compare rules after it read only some of their names', () => {
  const cut = rules({ ...wide, broken: true });
  expect(changesOf(rules(wide), cut)).toEqual(['access_rule (not assessed) added']);
});

it('keeps long names distinct', () => {
  const grants = (...hashes: string[]) => ({
    grants: listed(...hashes.map((hash, index) => ({ name: `table ${'a'.repeat(600)}${index}`, hash }))),
  });
  const [change, ...others] = changesOf(grants('1', '1'), grants('2', '1'));
  expect(others).toEqual([]);
  expect(change).toMatch(/^grant table a{400,}…[0-9a-f]{64} changed$/);
  expect(change!.length).toBeLessThanOrEqual('grant  changed'.length + 512);
});

const account = (user: string, host: string, changes: Partial<MysqlAccount> = {}): MysqlAccount => ({
  ...{
    user,
    host,
    is_role: false,
    locked: false,
    requires_tls: true,
    log_ins: [],
    unread_log_ins: 0,
    privileges: [],
    all_privileges: '',
  },
  ...changes,
});

const noGrants = { assessed: true, value: { rows: [], truncated: false } } as const;

it('compares roles of MySQL with the same name by their hosts', () => {
  const capture = (...hosts: string[]): MysqlCapture => ({
    collected_at: '2026-11-26T08:00:00Z',
    over: 'loopback',
    variables: { assessed: true, value: {} },
    accounts: { assessed: true, value: { accounts: [account('u', '%')], truncated: false } },
    role_grants: {
      assessed: true,
      value: {
        grants: hosts.map(host => ({
          role: { user: 'r', host },
          to: { user: 'u', host: '%' },
          with_admin: false,
        })),
        truncated: false,
      },
    },
    plaintext_users: { assessed: true, value: { users: [], truncated: false } },
    global_grants: noGrants,
    object_grants: noGrants,
    proxy_grants: noGrants,
  });
  const [both, one] = [capture('a', 'b'), capture('b')].map(taken => factsOf('mysql', taken));
  expect(changesBetween(both!, one!)).toEqual(['grant role r@a to u@% removed']);
});

it('compares all headers of one name', () => {
  const capture = (...values: string[]) => ({
    page: { assessed: true, value: { headers: values.map(value => ['Referrer-Policy', value]) } },
    tls: { assessed: false, reason: 'no TLS' },
  });
  const [both, one] = [capture('origin', 'no-referrer'), capture('unsafe-url', 'no-referrer')].map(taken =>
    factsOf('website', taken),
  );
  expect(changesBetween(both!, one!)).toEqual(['header referrer-policy changed']);
});
