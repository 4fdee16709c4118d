import type {
  PostgresColumn,
  PostgresDefinerFunction,
  PostgresExtension,
  PostgresHash,
  PostgresHbaRule,
  PostgresOverride,
  PostgresPasswordKind,
  PostgresPlaintextSession,
  PostgresPolicy,
  PostgresRelation,
  PostgresRole,
  PostgresSchema,
  PostgresUserMapping,
} from '../../captures/postgres.ts';
import {
  type PostgresDatabase,
  type PostgresIdentMapping,
  type PostgresMembership,
  type PostgresMutableFunction,
  type PostgresParameterPrivilege,
  type PostgresPrivilegedFunction,
  type PostgresSpecialObject,
  specialKinds,
} from '../../captures/postgres-rights.ts';
import { conditionOf } from './policy-condition.ts';
import type { Row } from './read-row.ts';

export const readOverride = (row: Row): PostgresOverride => ({
  role: row.textOrNull('role'),
  database: row.textOrNull('database'),
  name: row.text('name'),
  value: row.text('value'),
});

export const readHbaRule = (row: Row): PostgresHbaRule => ({
  // An invalid line may have no other fields.
  type: row.textOrNull('type') ?? '',
  databases: row.texts('databases'),
  users: row.texts('users'),
  address: row.textOrNull('address'),
  netmask: row.textOrNull('netmask'),
  method: row.text('method'),
  client_certificate: row.flag('client_certificate'),
  map: row.textOrNull('map'),
  ldap_tls: row.flag('ldap_tls'),
  any_realm: row.flag('any_realm'),
  broken: row.flag('broken'),
});

export const readHbaFile = (row: Row) => ({ known: row.flag('known'), changed: row.flag('changed') });

export const readPlaintextSession = (row: Row): PostgresPlaintextSession => ({
  role: row.text('role'),
  database: row.text('database'),
});

export const readRole = (row: Row): PostgresRole => ({
  name: row.text('name'),
  bootstrap: row.flag('bootstrap'),
  superuser: row.flag('superuser'),
  can_log_in: row.flag('can_log_in'),
  create_role: row.flag('create_role'),
  create_db: row.flag('create_db'),
  replication: row.flag('replication'),
  bypass_rls: row.flag('bypass_rls'),
  connection_limit: row.number('connection_limit'),
  expires: row.flag('expires'),
  valid_until: row.textOrNull('valid_until'),
  has_members: row.flag('has_members'),
  owns_relations: row.flag('owns_relations'),
  of_api: row.flag('of_api'),
  member_of: row.texts('member_of'),
  memberships_hash: row.textOrNull('memberships_hash'),
});

export const readPasswordKind = (row: Row): PostgresPasswordKind => ({
  role: row.text('role'),
  kind: row.oneOf('kind', ['none', 'md5', 'scram', 'other']),
});

export const readSchema = (row: Row): PostgresSchema => ({
  name: row.text('name'),
  public_may_create: row.flag('public_may_create'),
  api_creators: row.texts('api_creators'),
});

export const readHash = (row: Row): PostgresHash => ({
  name: row.text('name'),
  hash: row.text('hash'),
});

export const readRelation = (row: Row): PostgresRelation => ({
  schema: row.text('schema'),
  name: row.text('name'),
  kind: row.oneOf('kind', ['table', 'view', 'materialized view', 'foreign table']),
  row_security: row.flag('row_security'),
  exempt_owner: row.textOrNull('exempt_owner'),
  security_invoker: row.flag('security_invoker'),
  access: row.rows('access').map(access => ({
    role: access.text('role'),
    read: access.flag('read'),
    write: access.flag('write'),
    truncate: access.flag('truncate'),
  })),
  bypasses_row_security: row.flag('bypasses_row_security'),
  reads_schemas: row.texts('reads_schemas'),
});

export const readColumn = (row: Row): PostgresColumn => ({
  schema: row.text('schema'),
  relation: row.text('relation'),
  name: row.text('name'),
  readers: row.texts('readers'),
});

export const readPolicy = (row: Row): PostgresPolicy => ({
  schema: row.text('schema'),
  relation: row.text('relation'),
  name: row.text('name'),
  row_security: row.flag('row_security'),
  permissive: row.flag('permissive'),
  command: row.oneOf('command', ['all', 'select', 'insert', 'update', 'delete']),
  roles: row.texts('roles'),
  using: conditionOf(row.textOrNull('using')),
  check: conditionOf(row.textOrNull('check')),
});

export const readDefinerFunction = (row: Row): PostgresDefinerFunction => ({
  signature: row.text('signature'),
  schema: row.text('schema'),
  owner_is_superuser: row.flag('owner_is_superuser'),
  public_may_execute: row.flag('public_may_execute'),
  api_roles: row.texts('api_roles'),
  trigger: row.flag('trigger'),
  search_path_fixed: row.flag('search_path_fixed'),
  search_path: row.textOrNull('search_path'),
});

export const readExtension = (row: Row): PostgresExtension => ({
  name: row.text('name'),
  schema: row.text('schema'),
  installed: row.text('installed'),
  available: row.textOrNull('available'),
});

export const readUserMapping = (row: Row): PostgresUserMapping => ({
  server: row.text('server'),
  role: row.text('role'),
  has_password: row.flagOrNull('has_password'),
});

export const readMembership = (row: Row): PostgresMembership => ({
  role: row.text('role'),
  member: row.text('member'),
  admin: row.flag('admin'),
  inherits: row.flag('inherits'),
  can_set: row.flag('can_set'),
});

export const readDatabase = (row: Row): PostgresDatabase => ({
  name: row.text('name'),
  is_template: row.flag('is_template'),
  public_may_create: row.flag('public_may_create'),
  public_may_create_temporary: row.flag('public_may_create_temporary'),
  api_creators: row.texts('api_creators'),
});

export const readPrivilegedFunction = (row: Row): PostgresPrivilegedFunction => ({
  name: row.text('name'),
  role: row.text('role'),
});

export const readParameterPrivilege = (row: Row): PostgresParameterPrivilege => ({
  name: row.text('name'),
  role: row.text('role'),
  alter_system: row.flag('alter_system'),
});

export const readSpecialObject = (row: Row): PostgresSpecialObject => ({
  kind: row.oneOf('kind', specialKinds),
  name: row.text('name'),
  role: row.textOrNull('role'),
  owner: row.textOrNull('owner'),
  detail: row.text('detail'),
});

export const readMutableFunction = (row: Row): PostgresMutableFunction => ({
  signature: row.text('signature'),
  schema: row.text('schema'),
});

export const readIdentMapping = (row: Row): PostgresIdentMapping => ({
  map: row.text('map'),
  any_system_user: row.flag('any_system_user'),
  own_role: row.flag('own_role'),
  role: row.text('role'),
  broken: row.flag('broken'),
});
