import type { Assessment } from './assessment.ts';

/** One way to log in to an account. MariaDB's accounts may have several, of which any one is enough. */
interface MysqlLogIn {
  /** `caching_sha2_password`, `unix_socket`; empty where the server's default is meant. */
  readonly plugin: string;
  /** Nothing is stored that a password would be compared with. Password hashes themselves are never read. */
  readonly empty: boolean;
}

/** An account or, in MariaDB, a role. */
export interface MysqlAccount {
  readonly user: string;
  /** The pattern of hosts from which the account may come: `%`, `10.0.%`, `localhost`. */
  readonly host: string;
  readonly is_role: boolean;
  readonly locked: boolean;
  /** `REQUIRE SSL` or something stricter. */
  readonly requires_tls: boolean;
  readonly log_ins: readonly MysqlLogIn[];
  /** Global privileges out of those that the detectors read: `SUPER`, `FILE`, `PROCESS`, `CREATE USER`, … */
  readonly privileges: readonly string[];
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

/** A role that was granted. MariaDB's roles have the host ''; MySQL's are accounts. */
export interface MysqlRoleGrant {
  readonly role: MysqlName;
  /** An account or another role. */
  readonly to: MysqlName;
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

/** What the catalogs of a MySQL or MariaDB say. No row of a user's table and no password hash is in it. */
export interface MysqlCapture {
  /** ISO 8601. Detectors that compare dates use this moment, since they have no clock. */
  readonly collected_at: string;
  /** Global variables by name, in the server's spelling of the values: `ON`, `TLSv1.2,TLSv1.3`. Absent: it has none. */
  readonly variables: Assessment<Readonly<Record<string, string>>>;
  readonly accounts: Assessment<MysqlAccountList>;
  /** None in MySQL before 8.0, which has no roles. */
  readonly role_grants: Assessment<MysqlRoleGrantList>;
  /** Names of accounts that are connected over TCP without TLS at this moment, loopback left out. */
  readonly plaintext_users: Assessment<MysqlUserList>;
}
