import type { PostgresCapture } from '../../captures/postgres.ts';

/** A managed service, whose customers cannot change everything. */
export interface Provider {
  readonly name: string;
  /**
   * The names of the superuser that `initdb` created, which identify the service: only a superuser can make or rename
   * one, while every role with CREATEROLE can take the name of any other role.
   */
  readonly superusers: readonly string[];
  /** Roles whose members administer a customer's server, in place of superusers. */
  readonly administrators: readonly string[];
  /** Other roles of the service itself. */
  readonly roles: readonly string[];
  /** Schemas with objects created by the service. */
  readonly schemas: readonly string[];
}

/**
 * Sources: the vendors' documentation of their reserved roles, and the owner of `template0`, which `initdb` creates.
 * Aiven and DigitalOcean are not here: their first superuser is `postgres`, as everywhere.
 */
const providers: readonly Provider[] = [
  {
    name: 'Amazon RDS or Aurora',
    superusers: ['rdsadmin'],
    administrators: ['rds_superuser'],
    roles: [
      ...['rdsrepladmin', 'rdstopmgr', 'rdsproxyadmin', 'rdswriteforwarduser', 'rds_replication'],
      ...['rds_reserved', 'rds_extension'],
    ],
    schemas: [],
  },
  {
    name: 'Google Cloud SQL or AlloyDB',
    superusers: ['cloudsqladmin', 'alloydbadmin'],
    administrators: ['cloudsqlsuperuser', 'alloydbsuperuser'],
    roles: [
      ...['cloudsqlagent', 'cloudsqlreplica', 'cloudsqlimportexport', 'cloudsqllogical'],
      ...['cloudsqlobservability', 'alloydbagent', 'alloydbreplica', 'alloydbimportexport'],
    ],
    schemas: ['google_ml', 'google_vacuum_mgmt'],
  },
  {
    name: 'Azure Database for PostgreSQL',
    superusers: ['azuresu', 'azure_superuser'],
    administrators: ['azure_pg_admin'],
    roles: ['replication'],
    schemas: ['cron'],
  },
  {
    name: 'Supabase',
    superusers: ['supabase_admin'],
    administrators: [],
    roles: [
      ...['postgres', 'service_role', 'authenticator', 'dashboard_user', 'pgbouncer', 'cli_login_postgres'],
      ...['supabase_auth_admin', 'supabase_storage_admin', 'supabase_replication_admin'],
      ...['supabase_read_only_user', 'supabase_realtime_admin', 'supabase_functions_admin'],
      ...['supabase_etl_admin', 'supabase_privileged_role', 'supabase_superuser'],
    ],
    schemas: [
      ...['auth', 'storage', 'realtime', '_realtime', 'vault', 'extensions', 'graphql', 'graphql_public'],
      ...['pgbouncer', 'supabase_functions', 'supabase_migrations', 'net', 'cron', 'pgsodium', 'pgmq'],
      ...['pgtle', '_analytics', '_supavisor'],
    ],
  },
  {
    name: 'Neon',
    superusers: ['cloud_admin'],
    administrators: ['neon_superuser'],
    roles: ['neon_service', 'neondb_owner'],
    schemas: ['neon', 'neon_auth'],
  },
];

/** The managed service, according to its superuser; undefined if there is no sign of one. */
export function providerOf({ roles }: PostgresCapture): Provider | undefined {
  if (!roles.assessed) return undefined;
  const superusers = roles.value.rows.filter(({ superuser }) => superuser);
  const first = superusers.filter(({ bootstrap }) => bootstrap);
  // Supabase has taken SUPERUSER from the first one of its older servers.
  const names = (first.length > 0 ? first : superusers).map(({ name }) => name);
  return providers.find(provider => provider.superusers.some(name => names.includes(name)));
}

/** Whether the service created the role, or reserves it for the customer's administrators. */
export function isOfProvider(provider: Provider | undefined, role: string): boolean {
  if (provider === undefined) return false;
  const { superusers, administrators, roles } = provider;
  return [superusers, administrators, roles].some(names => names.includes(role));
}

/** Service roles that customers' own programs also use to sign in. */
const ofCustomers = new Set(['postgres', 'neondb_owner']);

/** Whether only the service itself signs in as the role. */
export function isServiceLogIn(provider: Provider | undefined, role: string): boolean {
  return isOfProvider(provider, role) && !ofCustomers.has(role);
}
