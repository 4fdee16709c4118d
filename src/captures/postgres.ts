import type { Assessment } from './assessment.ts';

/** Rows of a catalog, up to a limit. */
interface Listing<T> {
  readonly rows: readonly T[];
  /** There were more than the limit. */
  readonly truncated: boolean;
}

/** A part of the capture: read, or not, with the privilege that was missing. */
export type Listed<T> = Assessment<Listing<T>>;

export interface PostgresServer {
  /** `15.18 (Debian 15.18-0+deb12u1)`. */
  readonly version: string;
  /** What the server calls itself at length: `PostgreSQL 15.18 … on x86_64-pc-linux-gnu, compiled by …`. */
  readonly banner: string;
  /** It follows another server. */
  readonly in_recovery: boolean;
  readonly database: string;
  /** The role that looked. */
  readonly reader: string;
  readonly reader_is_superuser: boolean;
}

export interface PostgresSetting {
  readonly name: string;
  /** In the setting's base unit (milliseconds for timeouts). */
  readonly value: Assessment<string>;
}

/** A setting of one role, one database or both (`ALTER ROLE … SET`). Names of a fixed list only. */
export interface PostgresOverride {
  /** Null: every role. */
  readonly role: string | null;
  /** Null: every database. */
  readonly database: string | null;
  readonly name: string;
  readonly value: string;
}

/** A line of `pg_hba.conf`, in the order of the file, without its options. */
export interface PostgresHbaRule {
  /** `local`, `host`, `hostssl`, `hostnossl`, `hostgssenc`, `hostnogssenc`. */
  readonly type: string;
  readonly databases: readonly string[];
  readonly users: readonly string[];
  /** An address, a name, `all`, `samehost` or `samenet`; null for `local`. */
  readonly address: string | null;
  readonly netmask: string | null;
  readonly method: string;
  /** A certificate of the client is asked for besides (`clientcert=verify-full`). */
  readonly client_certificate: boolean;
  /** The line is broken: the server still uses what it read before. */
  readonly broken: boolean;
}

/** A role that is connected over TCP from another machine without encryption at this moment. */
export interface PostgresPlaintextSession {
  readonly role: string;
  /** Empty for streaming replication. */
  readonly database: string;
}

export interface PostgresRole {
  readonly name: string;
  /** The superuser that `initdb` made. */
  readonly bootstrap: boolean;
  readonly superuser: boolean;
  readonly can_log_in: boolean;
  readonly create_role: boolean;
  readonly create_db: boolean;
  readonly replication: boolean;
  readonly bypass_rls: boolean;
  /** -1: no limit. */
  readonly connection_limit: number;
  readonly expires: boolean;
  readonly has_members: boolean;
  /** Owns tables or views in the database that was looked at. */
  readonly owns_relations: boolean;
  /** Roles that it was granted, directly. */
  readonly member_of: readonly string[];
}

/** What kind of verifier is stored for a role's password; the verifier itself never leaves the server. */
export interface PostgresPasswordKind {
  readonly role: string;
  readonly kind: 'none' | 'md5' | 'scram' | 'other';
}

export interface PostgresSchema {
  readonly name: string;
  readonly public_may_create: boolean;
}

/** What a role may do with a relation, through whatever grants, if it may use the schema too. */
export interface PostgresAccess {
  /** `PUBLIC`, or a role that stands for users of an API. */
  readonly role: string;
  readonly read: boolean;
  readonly write: boolean;
  readonly truncate: boolean;
}

export interface PostgresRelation {
  readonly schema: string;
  readonly name: string;
  readonly kind: 'table' | 'view' | 'materialized view' | 'foreign table';
  readonly row_security: boolean;
  /** A view that runs with the rights of who asks (`security_invoker`). */
  readonly security_invoker: boolean;
  readonly access: readonly PostgresAccess[];
  /** Views only: a table below has row security that the view's owner is not subject to. */
  readonly bypasses_row_security: boolean;
  /** Views only: schemas of the tables below. */
  readonly reads_schemas: readonly string[];
}

/** A column that PUBLIC or a role of an API may read. */
export interface PostgresColumn {
  readonly schema: string;
  readonly relation: string;
  readonly name: string;
  /** `PUBLIC` and roles of an API. */
  readonly readers: readonly string[];
}

/**
 * What kind of condition a policy has; `unread` is longer or deeper than what is read. The expression itself stays on the surface: it
 * may hold literals.
 */
export type PolicyCondition = 'none' | 'always_true' | 'user_metadata' | 'other' | 'unread';

export interface PostgresPolicy {
  readonly schema: string;
  readonly relation: string;
  readonly name: string;
  readonly row_security: boolean;
  readonly permissive: boolean;
  readonly command: 'all' | 'select' | 'insert' | 'update' | 'delete';
  /** `PUBLIC` or names of roles. */
  readonly roles: readonly string[];
  readonly using: PolicyCondition;
  readonly check: PolicyCondition;
}

/** A function or procedure that runs as its owner (`SECURITY DEFINER`). */
export interface PostgresDefinerFunction {
  /** `schema.name(argument types)`, as the server writes it. */
  readonly signature: string;
  readonly schema: string;
  readonly owner_is_superuser: boolean;
  /** PUBLIC may execute it and use its schema. */
  readonly public_may_execute: boolean;
  /** It is a trigger's: nobody can call it. */
  readonly trigger: boolean;
  /** It has a `search_path` of its own, or no use for one. */
  readonly search_path_fixed: boolean;
}

export interface PostgresExtension {
  readonly name: string;
  readonly installed: string;
  /** The version that the server's files offer; null where they offer none. */
  readonly available: string | null;
}

export interface PostgresUserMapping {
  readonly server: string;
  /** `PUBLIC` or a role's name. */
  readonly role: string;
  /** Null: the reader may not see the options. Of these nothing is kept but whether a password is there. */
  readonly has_password: boolean | null;
}

interface PostgresArchiver {
  /** The last try to archive a segment failed. */
  readonly failing: boolean;
  /** A physical replication slot is there: something may receive the log as it is written. */
  readonly has_physical_slot: boolean;
}

/** What the catalogs of a PostgreSQL say. No row of a user's table, no password and no function's text is in it. */
export interface PostgresCapture {
  /** ISO 8601. Detectors that compare dates use this moment, since they have no clock. */
  readonly collected_at: string;
  readonly server: PostgresServer;
  readonly settings: readonly PostgresSetting[];
  readonly overrides: Listed<PostgresOverride>;
  /** As the file has them. */
  readonly hba_rules: Listed<PostgresHbaRule>;
  /** Whether the file was changed after the server last loaded it. */
  readonly hba_changed: Assessment<boolean>;
  readonly plaintext_sessions: Listed<PostgresPlaintextSession>;
  readonly roles: Listed<PostgresRole>;
  readonly password_kinds: Listed<PostgresPasswordKind>;
  readonly schemas: Listed<PostgresSchema>;
  readonly relations: Listed<PostgresRelation>;
  readonly columns: Listed<PostgresColumn>;
  readonly policies: Listed<PostgresPolicy>;
  readonly definer_functions: Listed<PostgresDefinerFunction>;
  /** Names of languages in which a function may do anything on the server. */
  readonly untrusted_languages: Listed<string>;
  readonly extensions: Listed<PostgresExtension>;
  readonly user_mappings: Listed<PostgresUserMapping>;
  readonly archiver: Assessment<PostgresArchiver>;
  /** Names of databases in which a page did not match its checksum. */
  readonly checksum_failures: Listed<string>;
}
