import type { PostgresCapture } from '../../captures/postgres.ts';

/** A managed service, whose customers cannot change everything. */
export interface Provider {
  readonly name: string;
  /** Roles that exist only on this service and identify it. */
  readonly marks: readonly string[];
  /** Other roles of the service itself, without the first superuser. */
  readonly roles: readonly string[];
  /** Schemas with objects created by the service. */
  readonly schemas: readonly string[];
}

/** Source: the vendors' documentation of their reserved roles. */
const providers: readonly Provider[] = [
  {
    name: 'Amazon RDS or Aurora',
    marks: ['rds_superuser'],
    roles: [
      ...['rdsadmin', 'rdsrepladmin', 'rdstopmgr', 'rdsproxyadmin', 'rdswriteforwarduser', 'rds_replication'],
      ...['rds_reserved', 'rds_extension'],
    ],
    schemas: [],
  },
  {
    name: 'Google Cloud SQL or AlloyDB',
    marks: ['cloudsqlsuperuser', 'alloydbsuperuser'],
    roles: [
      ...['cloudsqladmin', 'cloudsqlagent', 'cloudsqlreplica', 'cloudsqlimportexport', 'cloudsqllogical'],
      ...['cloudsqlobservability', 'alloydbadmin', 'alloydbagent', 'alloydbreplica', 'alloydbimportexport'],
    ],
    schemas: ['google_ml', 'google_vacuum_mgmt'],
  },
  {
    name: 'Azure Database for PostgreSQL',
    marks: ['azure_pg_admin'],
    roles: ['azuresu', 'azure_superuser', 'replication'],
    schemas: ['cron'],
  },
  {
    name: 'Supabase',
    marks: ['supabase_admin'],
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
    marks: ['neon_superuser'],
    roles: ['cloud_admin', 'neon_service', 'neondb_owner'],
    schemas: ['neon', 'neon_auth'],
  },
  { name: 'DigitalOcean', marks: ['doadmin'], roles: ['_doadmin_managed'], schemas: [] },
  { name: 'Aiven', marks: ['avnadmin'], roles: ['_aiven'], schemas: [] },
];

/** The managed service, according to role names; undefined if there is no sign of one. */
export function providerOf({ roles }: PostgresCapture): Provider | undefined {
  if (!roles.assessed) return undefined;
  const names = new Set(roles.value.rows.map(({ name }) => name));
  return providers.find(({ marks }) => marks.some(mark => names.has(mark)));
}

/** Whether the service created the role, or reserves it for the customer's administrators. */
export function isOfProvider(provider: Provider | undefined, role: string): boolean {
  return provider !== undefined && (provider.marks.includes(role) || provider.roles.includes(role));
}

/** Service roles that customers' own programs also use to sign in. */
const ofCustomers = new Set(['postgres', 'neondb_owner', 'doadmin', 'avnadmin']);

/** Whether only the service itself signs in as the role. */
export function isServiceLogIn(provider: Provider | undefined, role: string): boolean {
  return isOfProvider(provider, role) && !ofCustomers.has(role);
}
