import { createHash } from 'node:crypto';
import type { Assessment } from '../captures/assessment.ts';
import type { MysqlCapture } from '../captures/mysql.ts';
import type { Listed, PostgresCapture } from '../captures/postgres.ts';
import type { WebsiteCapture } from '../captures/website.ts';
import type { SourceKind } from '../contract/sources.ts';
import { toStorable } from '../contract/values.ts';

/** What may change between two assessments of a source. */
export type FactArea =
  | 'setting'
  | 'role'
  | 'grant'
  | 'policy'
  | 'extension'
  | 'access_rule'
  | 'header'
  | 'certificate';

/** The names of an area, each with a hash of its value; empty if it was not assessed. */
export type Facts = readonly (readonly [
  area: FactArea,
  names: readonly (readonly [name: string, hash: string])[],
])[];

/** Names of all areas. An area with more is left out, since cutting it would look like changes. */
const mostNames = 3_000;
const nameLength = 512;

type Entries = readonly (readonly [name: string, value: unknown])[];

/**
 * What an assessment found out about a source, to be compared with the one before. Parts that were not assessed are left
 * out: they have not changed.
 */
export function factsOf(kind: SourceKind, capture: unknown): Facts {
  const areas = areasOf(kind, capture).flatMap(([area, entries]) =>
    entries ? [[area, entries] as const] : [],
  );
  let room = mostNames;
  return areas.flatMap(([area, entries]) => {
    if (entries.length > room) return [];
    room -= entries.length;
    return [[area, entries.map(([name, value]) => [shortName(name), hashOf(value)] as const)] as const];
  });
}

type Areas = readonly (readonly [FactArea, Entries | undefined])[];

function areasOf(kind: SourceKind, capture: unknown): Areas {
  switch (kind) {
    case 'postgres':
      return postgresAreas(capture as PostgresCapture);
    case 'mysql':
      return mysqlAreas(capture as MysqlCapture);
    case 'website':
      return websiteAreas(capture as WebsiteCapture);
    case 'supabase':
      return [];
  }
}

function postgresAreas(capture: PostgresCapture): Areas {
  const { settings, overrides, roles, relations, policies, extensions, hba_rules } = capture;
  const overridden = rowsOf(overrides)?.map(
    ({ role, database, name, value }) =>
      [`${name} of ${role ?? 'all roles'} in ${database ?? 'all databases'}`, value] as const,
  );
  const read = settings.map(({ name, value }) => [name, value.assessed ? value.value : notRead] as const);
  return [
    ['setting', overridden && [...read, ...overridden]],
    ['role', rowsOf(roles)?.map(({ has_members: _, owns_relations: __, ...role }) => [role.name, role])],
    [
      'grant',
      rowsOf(relations)?.map(({ schema, name, row_security, security_invoker, access }) => [
        `${schema}.${name}`,
        { row_security, security_invoker, access },
      ]),
    ],
    [
      'policy',
      rowsOf(policies)?.map(({ schema, relation, name, ...policy }) => [
        `${schema}.${relation}: ${name}`,
        policy,
      ]),
    ],
    ['extension', rowsOf(extensions)?.map(({ name, installed }) => [name, installed])],
    [
      'access_rule',
      rowsOf(hba_rules)?.map(rule => {
        const { type, databases, users, address, method } = rule;
        return [`${type} ${databases.join(',')} ${users.join(',')} ${address ?? ''} ${method}`, rule];
      }),
    ],
  ];
}

function mysqlAreas({ variables, accounts, role_grants }: MysqlCapture): Areas {
  const list = accounts.assessed && !accounts.value.truncated ? accounts.value.accounts : undefined;
  const grants = role_grants.assessed && !role_grants.value.truncated ? role_grants.value.grants : undefined;
  return [
    ['setting', variables.assessed ? Object.entries(variables.value) : undefined],
    ['role', list?.map(({ privileges: _, ...account }) => [`${account.user}@${account.host}`, account])],
    [
      'grant',
      list &&
        grants && [
          ...list.map(({ user, host, privileges }) => [`${user}@${host}`, privileges] as const),
          ...grants.map(({ role, to }) => [`${role.user} to ${to.user}@${to.host}`, true] as const),
        ],
    ],
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
  return [
    ['header', headers?.filter(([name]) => steadyHeaders.has(name))],
    ['certificate', leaf && [[leaf.subject, leaf]]],
  ];
}

function assessedValue<T>(part: Assessment<T>): T | undefined {
  return part.assessed ? part.value : undefined;
}

function rowsOf<T>(list: Listed<T>): readonly T[] | undefined {
  return list.assessed && !list.value.truncated ? list.value.rows : undefined;
}

const shortName = (name: string) => toStorable(name).slice(0, nameLength).toWellFormed();

/** The value of a setting that was not assessed. */
const notRead = Symbol('not read');

const hashOf = (value: unknown) =>
  value === notRead ? '' : createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
