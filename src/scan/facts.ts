import { createHash } from 'node:crypto';
import type { Assessment } from '../captures/assessment.ts';
import type { MysqlCapture } from '../captures/mysql.ts';
import type { Listed, PostgresCapture, PostgresPolicy, PostgresRelation } from '../captures/postgres.ts';
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

/** Changes with the meaning of the facts: those of another form are not compared. */
export const factsForm = 2;

/** Names of an area. */
const mostNames = 3_000;
/** The only name of an area with more: it is compared as a whole, since a part of it would seem to change by itself. */
export const wholeArea = 'all, more than 3,000';
const nameLength = 512;

type Entries = readonly (readonly [name: string, value: unknown])[];

/**
 * What an assessment found out about a source, to be compared with the one before. Parts that were not assessed are left
 * out: they have not changed.
 */
export function factsOf(kind: SourceKind, capture: unknown): Facts {
  return areasOf(kind, capture).flatMap(([area, entries]) => {
    if (!entries) return [];
    const named = entries.length > mostNames ? ([[wholeArea, entries]] as const) : entries;
    return [[area, named.map(([name, value]) => [shortName(name), hashOf(value)] as const)] as const];
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
  const { settings, overrides, roles, grants, relations, policies, extensions, hba_rules } = capture;
  const overridden = rowsOf(overrides)?.map(
    ({ role, database, name, value }) =>
      [`${name} of ${role ?? 'all roles'} in ${database ?? 'all databases'}`, value] as const,
  );
  const read = settings.map(({ name, value }) => [name, value.assessed ? value.value : notRead] as const);
  return [
    ['setting', overridden && [...read, ...overridden]],
    ['role', rowsOf(roles)?.map(({ has_members: _, owns_relations: __, ...role }) => [role.name, role])],
    ['grant', rowsOf(grants)?.map(({ name, hash }) => [name, hash])],
    ['policy', policiesOf(rowsOf(relations), rowsOf(policies))],
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

/** Also whether row security is on: without it, policies do nothing. */
function policiesOf(
  relations: readonly PostgresRelation[] | undefined,
  policies: readonly PostgresPolicy[] | undefined,
): Entries | undefined {
  if (!relations || !policies) return undefined;
  return [
    ...relations.map(
      ({ schema, name, row_security, security_invoker }) =>
        [`${schema}.${name}`, { row_security, security_invoker }] as const,
    ),
    ...policies.map(
      ({ schema, relation, name, ...policy }) => [`${schema}.${relation}: ${name}`, policy] as const,
    ),
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
