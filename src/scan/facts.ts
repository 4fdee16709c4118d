import { createHash } from 'node:crypto';
import type { Assessment } from '../captures/assessment.ts';
import type { MysqlCapture, MysqlName } from '../captures/mysql.ts';
import type { Listed, PostgresCapture, PostgresHash, PostgresHbaRule } from '../captures/postgres.ts';
import type { RedisCapture } from '../captures/redis.ts';
import type { WebsiteCapture } from '../captures/website.ts';
import { type DriftArea, probeBounds } from '../contract/probe-events.ts';
import type { SourceKind } from '../contract/sources.ts';
import { withoutSecrets } from '../detectors/mask-secrets.ts';
import { boundedLocator } from './bound-results.ts';

/** The names of an area, each with a hash of its value. */
export type Facts = readonly AreaFacts[];
type AreaFacts = readonly [area: DriftArea, names: readonly (readonly [name: string, hash: string])[]];

/** Changes with the meaning of the facts: those of another form are not compared. */
export const factsForm = 7;

/** Names of an area. */
const mostNames = 3_000;
/** The only name of an area with more: it is compared as a whole, since a part of it would seem to change by itself. */
export const wholeArea = 'all, more than 3,000';

/** The only fact of an area that was not assessed, or not completely. No other fact has this hash. */
const unassessed = ['(not assessed)', 'not assessed'] as const;

export const isAssessed = ([, names]: AreaFacts): boolean => names[0]?.[1] !== unassessed[1];

type Entries = readonly (readonly [name: string, value: unknown])[];

/** What an assessment found out about a source, to be compared with the one before. */
export function factsOf(kind: SourceKind, capture: unknown): Facts {
  return areasOf(kind, capture).map(([area, entries]) => {
    if (!entries) return [area, [unassessed]];
    const named = entries.length > mostNames ? ([[wholeArea, entries]] as const) : entries;
    return [area, [...valuesByName(named)].map(([name, values]) => [name, hashOf(values)] as const)];
  });
}

/** Names are not unique: a server may have two equal rules. */
function valuesByName(entries: Entries): ReadonlyMap<string, readonly unknown[]> {
  const byName = new Map<string, unknown[]>();
  for (const [name, value] of entries) {
    const short = boundedLocator(name, probeBounds.driftName);
    const values = byName.get(short);
    if (values) values.push(value);
    else byName.set(short, [value]);
  }
  return byName;
}

/** Without entries, the area was not assessed. */
type Areas = readonly (readonly [DriftArea, Entries | undefined])[];

function areasOf(kind: SourceKind, capture: unknown): Areas {
  switch (kind) {
    case 'postgres':
      return postgresAreas(capture as PostgresCapture);
    case 'mysql':
      return mysqlAreas(capture as MysqlCapture);
    case 'redis':
      return redisAreas(capture as RedisCapture);
    case 'website':
      return websiteAreas(capture as WebsiteCapture);
    case 'supabase':
      return [];
  }
}

function postgresAreas(capture: PostgresCapture): Areas {
  const { settings, overrides, roles, grants, row_security_hashes, extensions, hba_rules } = capture;
  const overridden = rowsOf(overrides)?.map(
    ({ role, database, name, value }) =>
      [`${name} of ${role ?? 'all roles'} in ${database ?? 'all databases'}`, value] as const,
  );
  const read = settings.map(({ name, value }) => [name, value.assessed ? value.value : notRead] as const);
  return [
    ['setting', overridden && [...read, ...overridden]],
    [
      'role',
      rowsOf(roles)?.map(({ has_members: _, owns_relations: __, of_api: ___, ...role }) => [role.name, role]),
    ],
    ['grant', factsOfHashes(grants)],
    ['policy', factsOfHashes(row_security_hashes)],
    ['extension', rowsOf(extensions)?.map(({ name, installed }) => [name, installed])],
    ['access_rule', rulesOf(rowsOf(hba_rules))],
  ];
}

/** Also their order: the first that matches decides. */
function rulesOf(rules: readonly PostgresHbaRule[] | undefined): Entries | undefined {
  // Of a rule with very many names, only some were read.
  if (!rules || rules.some(({ type, broken }) => broken && type !== '')) return undefined;
  const named = rules.map(rule => {
    const { type, databases, users, address, netmask, method } = rule;
    const where = [address, netmask].filter(part => part !== null);
    return [[type, databases.join(','), users.join(','), ...where, method].join(' '), rule] as const;
  });
  return [...named, ['order of all rules', named.map(([name]) => name)]];
}

const factsOfHashes = (list: Listed<PostgresHash>) =>
  rowsOf(list)?.map(({ name, hash }) => [name, hash] as const);

function mysqlAreas({ variables, accounts, role_grants }: MysqlCapture): Areas {
  const list = accounts.assessed && !accounts.value.truncated ? accounts.value.accounts : undefined;
  const grants = role_grants.assessed && !role_grants.value.truncated ? role_grants.value.grants : undefined;
  return [
    ['setting', variables.assessed ? Object.entries(variables.value) : undefined],
    ['role', list?.map(({ privileges: _, all_privileges: __, ...account }) => [nameOf(account), account])],
    [
      'grant',
      list &&
        grants && [
          ...list.map(
            account =>
              [`privileges of ${nameOf(account)}`, [account.privileges, account.all_privileges]] as const,
          ),
          ...grants.map(
            ({ role, to, with_admin }) => [`role ${nameOf(role)} to ${nameOf(to)}`, with_admin] as const,
          ),
        ],
    ],
  ];
}

const nameOf = ({ user, host }: MysqlName) => `${user}@${host}`;

function redisAreas({ settings, users, modules }: RedisCapture): Areas {
  const list = rowsOf(users);
  return [
    ['setting', settings.assessed ? Object.entries(settings.value) : undefined],
    ['role', list?.map(({ root: _, selectors: __, ...user }) => [user.name, user])],
    ['grant', list?.map(({ name, root, selectors }) => [`permissions of ${name}`, [root, selectors]])],
    ['extension', rowsOf(modules)?.map(({ name, ...module }) => [name, module])],
  ];
}

/** Headers that servers send without parts that differ in each answer. */
const steadyHeaders = new Set([
  ...[
    'strict-transport-security',
    'x-frame-options',
    'x-content-type-options',
    'referrer-policy',
    'permissions-policy',
  ],
  ...['cross-origin-opener-policy', 'cross-origin-resource-policy', 'cross-origin-embedder-policy', 'server'],
]);

function websiteAreas({ page, tls }: WebsiteCapture): Areas {
  const headers = assessedValue(page)?.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  const leaf = assessedValue(tls)?.chain[0];
  const areas: Areas = [
    ['header', headers?.filter(([name]) => steadyHeaders.has(name))],
    ['certificate', leaf && [[withoutSecrets(leaf.subject), leaf]]],
  ];
  // A site without TLS has no certificate, and one that is unavailable has not changed.
  return areas.filter(([, entries]) => entries);
}

function assessedValue<T>(part: Assessment<T>): T | undefined {
  return part.assessed ? part.value : undefined;
}

function rowsOf<T>(
  list: Assessment<{ readonly rows: readonly T[]; readonly truncated: boolean }>,
): readonly T[] | undefined {
  return list.assessed && !list.value.truncated ? list.value.rows : undefined;
}

/** The value of a setting that was not assessed. */
const notRead = Symbol('not read');

const hashOf = (values: readonly unknown[]) =>
  values.includes(notRead)
    ? ''
    : createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16);
