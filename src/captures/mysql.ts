import type { Assessment } from './assessment.ts';

/** One way to log in to an account. MariaDB's accounts may have several, each sufficient by itself. */
interface MysqlLogIn {
  /** `caching_sha2_password`, `unix_socket`; empty for the server's default. */
  readonly plugin: string;
  /** No password hash is stored. The hashes themselves are never read. */
  readonly empty: boolean;
}

/** An account or, in MariaDB, a role. */
export interface MysqlAccount {
  readonly user: string;
  /** The pattern of hosts that may connect to the account: `%`, `10.0.%`, `localhost`. */
  readonly host: string;
  readonly is_role: boolean;
  readonly locked: boolean;
  /** `REQUIRE SSL` or something stricter. */
  readonly requires_tls: boolean;
  readonly log_ins: readonly MysqlLogIn[];
  /** The number of others, which were not read. */
  readonly unread_log_ins: number;
  /** The global privileges that the detectors read: `SUPER`, `FILE`, `PROCESS`, `CREATE USER`, … */
  readonly privileges: readonly string[];
  /** All global privileges, in any form: shows changes. Empty for MySQL, where a scan reads no others. */
  readonly all_privileges: string;
}

export interface MysqlAccountList {
  readonly accounts: readonly MysqlAccount[];
  /** There were more than the limit. */
  readonly truncated: boolean;
}

export interface MysqlName {
  readonly user: string;
  readonly host: string;
}

/** A granted role. MariaDB's roles have the host ''; MySQL's are accounts. */
export interface MysqlRoleGrant {
  readonly role: MysqlName;
  /** An account or another role. */
  readonly to: MysqlName;
  /** The member may grant it to others. */
  readonly with_admin: boolean;
}

export interface MysqlRoleGrantList {
  readonly grants: readonly MysqlRoleGrant[];
  /** There were more than the limit. */
  readonly truncated: boolean;
}

export interface MysqlUserList {
  readonly users: readonly string[];
  /** There were more than the limit. */
  readonly truncated: boolean;
}

export interface MysqlList<T> {
  readonly rows: readonly T[];
  /** There were more than the limit. */
  readonly truncated: boolean;
}

/** Global privileges of an account or role that detectors read, besides those of `MysqlAccount`. */
export interface MysqlGlobalGrant {
  readonly to: MysqlName;
  /** `SELECT`, `SET USER`, `SYSTEM_VARIABLES_ADMIN`, … */
  readonly privileges: readonly string[];
}

/** Privileges on the schema `mysql`, on databases for tests or for everyone, or with GRANT OPTION. */
export interface MysqlObjectGrant {
  readonly to: MysqlName;
  /** A pattern: `test\\_%`. */
  readonly database: string;
  /** Empty for the whole database. */
  readonly table: string;
  /** The pattern matches the schema `mysql`. */
  readonly is_system: boolean;
  readonly privileges: readonly string[];
}

/** An account may act as another; an empty name means any. */
export interface MysqlProxyGrant {
  readonly to: MysqlName;
  readonly proxied: MysqlName;
}

/** Facts from the catalogs of a MySQL or MariaDB server, without rows of user tables and password hashes. */
export interface MysqlCapture {
  /** ISO 8601. Detectors that compare dates use this time, since they have no clock. */
  readonly collected_at: string;
  /** Whether the server was reached on this machine or over a network. */
  readonly over: 'loopback' | 'network';
  /**
   * Global variables by name, with values as the server spells them: `ON`, `TLSv1.2,TLSv1.3`. Absent if the server does
   * not have the variable.
   */
  readonly variables: Assessment<Readonly<Record<string, string>>>;
  readonly accounts: Assessment<MysqlAccountList>;
  /** None in MySQL before 8.0, which has no roles. */
  readonly role_grants: Assessment<MysqlRoleGrantList>;
  /** Names of accounts that are currently connected over TCP without TLS, except from loopback. */
  readonly plaintext_users: Assessment<MysqlUserList>;
  readonly global_grants: Assessment<MysqlList<MysqlGlobalGrant>>;
  readonly object_grants: Assessment<MysqlList<MysqlObjectGrant>>;
  readonly proxy_grants: Assessment<MysqlList<MysqlProxyGrant>>;
}
