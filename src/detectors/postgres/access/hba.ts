import { targetLimits } from '../../../captures/limits.ts';
import type { PostgresCapture, PostgresHbaRule, PostgresRole } from '../../../captures/postgres.ts';
import type { Severity } from '../../../contract/severity.ts';
import { type DetectionBuilder, quoted } from '../../detection.ts';
import { type JudgedRule, ofService, reachOf, ruleByReach, ruleObserver } from '../exposure.ts';
import { coversAllAddresses, effectiveRules, isLocal } from '../hba-address.ts';
import { isOfProvider, providerOf } from '../provider.ts';
import { hbaRulesOf, observeEach, rowsOf, settingOf } from '../reading.ts';
import { accessChecks as checks } from './checks.ts';

const ofRules = [
  checks.trust,
  checks.password,
  checks.md5,
  checks.allAddresses,
  checks.plaintextAllowed,
  checks.remoteSuperuser,
];

/** What the rules of pg_hba.conf permit, in the order in which the server evaluates them. */
export function detectHba(found: DetectionBuilder, capture: PostgresCapture): void {
  const all = hbaRulesOf(found, ofRules, capture);
  const read = firstRules(all);
  const rules = read.filter(({ broken }) => !broken);
  if (all.length > read.length) {
    const { hbaRules, hbaNames } = targetLimits;
    found.cannotAssess(ofRules, `pg_hba.conf has more than ${hbaRules} rules or ${hbaNames} user names.`);
  }
  if (all.some(({ broken }) => broken)) {
    found.cannotAssess(
      ofRules,
      'pg_hba.conf has invalid lines, so the server still uses the rules that it loaded before.',
    );
  }
  const effective = effectiveRules(rules);
  const provider = providerOf(capture)?.name;
  const reach = reachOf(capture);
  const observe = ruleObserver(found, capture);
  const trusted = effective.filter(isUnauthenticated).map(rule => {
    const place = ruleByReach(checks.trust, reach, rule, trusting(rule), 'medium');
    // Managed services never allow access from outside without authentication; such a server only runs the
    // same software.
    return provider !== undefined && isLocal(rule) ? ofService(place, provider) : place;
  });
  observeEach(found, checks.trust, trusted);
  observe(
    checks.password,
    effective
      .filter(rule => rule.method === 'password' || (passingOn.includes(rule.method) && !isHidden(rule)))
      .map(inClearText),
    'medium',
  );
  const passedOn = effective.find(({ method }) => passingOn.includes(method));
  if (passedOn !== undefined) {
    const reason = `With ${passedOn.method} the client also sends the password itself, for another service to verify.`;
    found.cannotPass([checks.password], reason);
  }
  const [remark, severity] = ofMd5(capture);
  observe(
    checks.md5,
    effective
      .filter(({ method }) => method === 'md5')
      .map(rule => [
        rule,
        {
          locator: placeOf(rule),
          seen: `${ruleText(rule)} allows MD5${remark}.`,
          ...(severity === undefined ? {} : { severity }),
        },
      ]),
  );
  observe(checks.allAddresses, effective.filter(admitsAll).map(admitting));
  observe(checks.plaintextAllowed, admittingPlaintext(effective));
  observe(checks.remoteSuperuser, superusersFromAfar(found, capture, effective));
}

/** Methods with which the server passes the clear-text password on (PostgreSQL, 20.3). */
const passingOn: readonly string[] = ['ldap', 'radius', 'pam', 'bsd'];

/** The first rules, as many as are compared with each superuser. */
export function firstRules(rules: readonly PostgresHbaRule[]): readonly PostgresHbaRule[] {
  let left: number = targetLimits.hbaNames;
  const end = rules.findIndex(({ users }) => {
    left -= users.length;
    return left < 0;
  });
  return rules.slice(0, Math.min(targetLimits.hbaRules, end === -1 ? rules.length : end));
}

/**
 * `ident` asks the client's machine for the username: over a network, that machine's administrator can claim
 * any name.
 */
const isUnauthenticated = (rule: PostgresHbaRule) =>
  rule.method === 'trust' || (rule.method === 'ident' && !isLocal(rule));

/** The rule without its line number, so that the locator stays the same when lines move. */
export function placeOf({ type, databases, users, address, netmask, method }: PostgresHbaRule): string {
  const where = address === null ? [] : [netmask === null ? address : `${address} ${netmask}`];
  return [type, databases.toSorted().join(','), users.toSorted().join(','), ...where, method].join(' ');
}

export const ruleText = (rule: PostgresHbaRule) => `The rule ${quoted(placeOf(rule), 300)}`;

function trusting(rule: PostgresHbaRule) {
  const local = isLocal(rule);
  return {
    locator: placeOf(rule),
    seen: `${ruleText(rule)} requires no authentication${local ? ', from the server’s own machine' : ''}.`,
    // Only people and programs on the machine, or in the container, can use it.
    ...(local ? { severity: 'medium' as const } : {}),
  };
}

/** Others cannot read what the client sends. */
const isHidden = (rule: PostgresHbaRule) =>
  isLocal(rule) || rule.type === 'hostssl' || rule.type === 'hostgssenc';

function inClearText(rule: PostgresHbaRule): JudgedRule {
  const hidden = isHidden(rule);
  return [
    rule,
    {
      locator: placeOf(rule),
      seen: `${ruleText(rule)} requests the password in clear text${hidden ? ', over an encrypted or local connection' : ''}.`,
      ...(hidden ? { severity: 'medium' as const } : {}),
    },
  ];
}

/** The method md5 uses SCRAM for roles with a SCRAM verifier: then the setting hardly matters. */
function ofMd5(capture: PostgresCapture): [remark: string, severity?: Severity] {
  const { password_kinds } = capture;
  const encryption = settingOf(capture, 'password_encryption');
  if (password_kinds.assessed) {
    const some = password_kinds.value.rows.some(({ kind }) => kind === 'md5');
    return some ? [''] : ['; no role has an MD5 password now', 'low'];
  }
  return encryption.assessed && encryption.value === 'scram-sha-256'
    ? ['; new passwords are SCRAM, and whether older ones are MD5 is unknown', 'medium']
    : [''];
}

/** Network rules that do not require encryption, up to one that rejects all unencrypted connections. */
function admittingPlaintext(rules: readonly PostgresHbaRule[]): readonly JudgedRule[] {
  const last = rules.findIndex(
    rule =>
      rule.type === 'hostnossl' &&
      rule.method === 'reject' &&
      rule.address === 'all' &&
      rule.databases.includes('all') &&
      rule.users.includes('all'),
  );
  return (last === -1 ? rules : rules.slice(0, last))
    .filter(
      rule =>
        ['host', 'hostnossl', 'hostnogssenc'].includes(rule.type) &&
        rule.method !== 'reject' &&
        !isLocal(rule),
    )
    .map(rule => [
      rule,
      { locator: placeOf(rule), seen: `${ruleText(rule)} allows unencrypted connections.` },
    ]);
}

const admitsAll = (rule: PostgresHbaRule) => rule.method !== 'reject' && coversAllAddresses(rule);

function admitting(rule: PostgresHbaRule): JudgedRule {
  const certified = rule.method === 'cert' || rule.client_certificate;
  return [
    rule,
    {
      locator: placeOf(rule),
      seen: `${ruleText(rule)} allows every address${certified ? ', with a certificate of the client' : ''}.`,
      ...(certified ? { severity: 'low' as const } : {}),
    },
  ];
}

function superusersFromAfar(
  found: DetectionBuilder,
  capture: PostgresCapture,
  rules: readonly PostgresHbaRule[],
): readonly JudgedRule[] {
  const check = checks.remoteSuperuser;
  const provider = providerOf(capture);
  const roles = rowsOf(found, [check], capture.roles);
  const everySuperuser = roles.filter(
    ({ superuser, can_log_in, name }) => superuser && can_log_in && !isOfProvider(provider, name),
  );
  const superusers = everySuperuser.slice(0, targetLimits.superusers);
  if (everySuperuser.length > superusers.length) {
    found.cannotAssess([check], `The server has more than ${targetLimits.superusers} superusers.`);
  }
  if (superusers.some(({ member_of }) => member_of.length > targetLimits.memberships)) {
    found.cannotAssess([check], `A superuser was granted more than ${targetLimits.memberships} roles.`);
  }
  const network = new NetworkRules(rules);
  const { password_kinds } = capture;
  const withoutPassword = new Set(
    (password_kinds.assessed ? password_kinds.value.rows : [])
      .filter(own => own.kind === 'none')
      .map(own => own.role),
  );
  const admitted = new Map<PostgresHbaRule, string[]>();
  for (const superuser of superusers) {
    for (const rule of network.fitting(superuser)) {
      const byPassword = ['scram-sha-256', 'md5', 'password'].includes(rule.method);
      if (byPassword && withoutPassword.has(superuser.name)) continue;
      if (byPassword && !password_kinds.assessed && !network.names(rule, superuser)) {
        // The rule is for all roles. Superusers often have no password, so that it does not admit them.
        found.cannotAssess([check], `Whether superusers have passwords is unknown. ${password_kinds.reason}`);
        continue;
      }
      const names = admitted.get(rule) ?? [];
      names.push(superuser.name);
      admitted.set(rule, names);
    }
  }
  return [...admitted].map(([rule, names]) => [
    rule,
    {
      locator: placeOf(rule),
      seen: `${ruleText(rule)} admits ${names
        .slice(0, 3)
        .map(name => quoted(name, 40))
        .join(', ')}${names.length > 3 ? ' and more superusers' : ''}.`,
    },
  ]);
}

/** Network rules by the users that they name, so that a role is only compared with those that can match. */
class NetworkRules {
  readonly #rules: readonly PostgresHbaRule[];
  readonly #indexes: ReadonlyMap<PostgresHbaRule, number>;
  readonly #byUser = new Map<string, Set<number>>();

  constructor(rules: readonly PostgresHbaRule[]) {
    this.#rules = rules;
    this.#indexes = new Map(rules.map((rule, index) => [rule, index]));
    for (const [index, rule] of rules.entries()) {
      if (isLocal(rule)) continue;
      for (const user of rule.users) {
        const known = this.#byUser.get(user) ?? new Set();
        this.#byUser.set(user, known.add(index));
      }
    }
  }

  /** Whether a rule contains the role's own name. */
  names(rule: PostgresHbaRule, { name }: PostgresRole): boolean {
    return this.#byUser.get(name)?.has(this.#indexes.get(rule)!) ?? false;
  }

  /** The rules that match a role, in order, up to one that rejects it from everywhere. */
  fitting({ name, member_of }: PostgresRole): readonly PostgresHbaRule[] {
    // Superusers are implicit members of every role, but `+role` does not match them.
    const names = new Set(['all', name, ...member_of.map(group => `+${group}`)]);
    const indexes = new Set([...names].flatMap(user => [...(this.#byUser.get(user) ?? [])]));
    const fitting = [...indexes].sort((a, b) => a - b).map(index => this.#rules[index]!);
    const last = fitting.findIndex(
      rule =>
        rule.method === 'reject' &&
        rule.type === 'host' &&
        rule.address === 'all' &&
        rule.databases.includes('all'),
    );
    return (last === -1 ? fitting : fitting.slice(0, last)).filter(({ method }) => method !== 'reject');
  }
}
