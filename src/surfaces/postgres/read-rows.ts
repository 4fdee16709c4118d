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
  trigger: row.flag('trigger'),
  search_path_fixed: row.flag('search_path_fixed'),
});

export const readExtension = (row: Row): PostgresExtension => ({
  name: row.text('name'),
  installed: row.text('installed'),
  available: row.textOrNull('available'),
});

export const readUserMapping = (row: Row): PostgresUserMapping => ({
  server: row.text('server'),
  role: row.text('role'),
  has_password: row.flagOrNull('has_password'),
});
