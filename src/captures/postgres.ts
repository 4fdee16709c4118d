import type { Assessment } from './assessment.ts';
import type {
  PostgresDatabase,
  PostgresIdentMapping,
  PostgresMembership,
  PostgresMutableFunction,
  PostgresParameterPrivilege,
  PostgresPrivilegedFunction,
  PostgresSpecialObject,
} from './postgres-rights.ts';

/** Rows of a catalog, up to a limit. */
interface Listing<T> {
  readonly rows: readonly T[];
  /** There were more than the limit. */
  readonly truncated: boolean;
}

/** A part of the capture: its rows, or the privilege that was missing to read them. */
export type Listed<T> = Assessment<Listing<T>>;

export interface PostgresServer {
  /** `15.18 (Debian 15.18-0+deb12u1)`. */
  readonly version: string;
  /** The server's full version string: `PostgreSQL 15.18 … on x86_64-pc-linux-gnu, compiled by …`. */
  readonly banner: string;
  /** It is a standby or still recovering. */
  readonly in_recovery: boolean;
  readonly database: string;
  /** The role that the scan used. */
  readonly reader: string;
  readonly reader_is_superuser: boolean;
}

export interface PostgresSetting {
  readonly name: string;
  /** In the setting's base unit (milliseconds for timeouts). Of some, only what kind of value it is. */
  readonly value: Assessment<string>;
  /** This version of the server does not have it. */
  readonly absent?: true;
}

/** A setting of one role, one database or both (`ALTER ROLE … SET`). Only names of a fixed list. */
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
  /** Also requires a client certificate (`clientcert=verify-full`). */
  readonly client_certificate: boolean;
  /** The map of `pg_ident.conf` that it uses. */
  readonly map: string | null;
  /** The server encrypts what it sends to the LDAP server (`ldaptls`, `ldaps`). */
  readonly ldap_tls: boolean;
  /** The realm of a Kerberos name is not compared (`include_realm=0`). */
  readonly any_realm: boolean;
  /** The line is invalid: the server still uses the rules that it loaded before. */
  readonly broken: boolean;
}

/** A role that is currently connected over TCP from another machine without encryption. */
export interface PostgresPlaintextSession {
  readonly role: string;
  /** Empty for streaming replication. */
  readonly database: string;
}

export interface PostgresRole {
  readonly name: string;
  /** The superuser that `initdb` created. */
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
  /** `2027-01-01T00:00:00` in UTC, or `infinity`; null if it was never set. */
  readonly valid_until: string | null;
  readonly has_members: boolean;
  /** Owns tables or views in the scanned database. */
  readonly owns_relations: boolean;
  /** Represents users of an API. */
  readonly of_api: boolean;
  /** Roles granted to it directly, predefined ones first: the first of many. */
  readonly member_of: readonly string[];
  /** Of all of them and the options of their grants: it shows changes. Null if there are none. */
  readonly memberships_hash: string | null;
}

/** The kind of verifier that is stored for a role's password; the verifier itself never leaves the server. */
export interface PostgresPasswordKind {
  readonly role: string;
  readonly kind: 'none' | 'md5' | 'scram' | 'other';
}

export interface PostgresSchema {
  readonly name: string;
  readonly public_may_create: boolean;
  /** Roles of an API that may create objects, other than through PUBLIC. */
  readonly api_creators: readonly string[];
}

/** One object, or many of them. Only a hash of them is known: it shows changes. */
export interface PostgresHash {
  /**
   * The kind and the name of an object: `table schema.name`, `function schema.name(argument types)`, `schema name`,
   * `default privilege of role on tables in schema name`, `policy on schema.table: name`, `row security of schema.table`.
   * Of many, `all functions of schema name`, `all schemas` or `all other objects`.
   */
  readonly name: string;
  readonly hash: string;
}

/** What a role may do with a relation, directly or through other roles, if it may also use the schema. */
export interface PostgresAccess {
  /** `PUBLIC`, or a role that represents users of an API. */
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
  /** Policies do not apply to the owner, who can log in and is no superuser: row security is not forced. */
  readonly exempt_owner: string | null;
  /** A view that runs with the rights of the caller (`security_invoker`). */
  readonly security_invoker: boolean;
  readonly access: readonly PostgresAccess[];
  /** Views only: an underlying table has row security that the view's owner bypasses. */
  readonly bypasses_row_security: boolean;
  /** Views only: those of `authSchemas` with an underlying table. */
  readonly reads_schemas: readonly string[];
}

/** Schemas in which authentication services store their users. */
export const authSchemas: readonly string[] = ['auth', 'neon_auth', 'next_auth'];

/** A column that PUBLIC or a role of an API may read. */
export interface PostgresColumn {
  readonly schema: string;
  readonly relation: string;
  readonly name: string;
  /** `PUBLIC` and roles of an API. */
  readonly readers: readonly string[];
}

/**
 * The kind of condition of a policy; `whole_bucket` compares only the bucket of a file, `unread` means longer or deeper than what is read, and `skipped` that it was not
 * read at all. The expression itself stays on the surface, since it may contain literals.
 */
export type PolicyCondition =
  | 'none'
  | 'always_true'
  | 'user_metadata'
  | 'whole_bucket'
  | 'other'
  | 'unread'
  | 'skipped';

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

/** Whether a condition of the policy was not read at all. */
export const isSkipped = ({ using, check }: PostgresPolicy) => using === 'skipped' || check === 'skipped';

/** A function or procedure that runs as its owner (`SECURITY DEFINER`). */
export interface PostgresDefinerFunction {
  /** `schema.name(argument types)`, as the server writes it. */
  readonly signature: string;
  readonly schema: string;
  readonly owner_is_superuser: boolean;
  /** PUBLIC may execute it and use its schema. */
  readonly public_may_execute: boolean;
  /** Roles of an API that may do both. */
  readonly api_roles: readonly string[];
  /** A trigger function, which cannot be called directly. */
  readonly trigger: boolean;
  /** It sets its own `search_path`, or does not use one. */
  readonly search_path_fixed: boolean;
  /** Its own `search_path`, as written; null if it has none. */
  readonly search_path: string | null;
}

export interface PostgresExtension {
  readonly name: string;
  readonly schema: string;
  readonly installed: string;
  /** The version in the server's files; null if they have none. */
  readonly available: string | null;
}

export interface PostgresUserMapping {
  readonly server: string;
  /** `PUBLIC` or a role's name. */
  readonly role: string;
  /** Null: the reader may not see the options. Nothing else of the options is kept. */
  readonly has_password: boolean | null;
}

interface PostgresArchiver {
  /** The last attempt to archive a segment failed. */
  readonly failing: boolean;
  /** A physical replication slot exists: something may receive the log as it is written. */
  readonly has_physical_slot: boolean;
}

/** Facts from the catalogs of a PostgreSQL server, without rows of user tables, passwords and function bodies. */
export interface PostgresCapture {
  /** ISO 8601. Detectors that compare dates use this time, since they have no clock. */
  readonly collected_at: string;
  /** Whether the server was reached on this machine or over a network. */
  readonly over: 'loopback' | 'network';
  readonly server: PostgresServer;
  readonly settings: readonly PostgresSetting[];
  readonly overrides: Listed<PostgresOverride>;
  /** As written in the file. */
  readonly hba_rules: Listed<PostgresHbaRule>;
  /** Whether the file was changed after the server last loaded it. */
  readonly hba_changed: Assessment<boolean>;
  readonly plaintext_sessions: Listed<PostgresPlaintextSession>;
  readonly roles: Listed<PostgresRole>;
  readonly memberships: Listed<PostgresMembership>;
  readonly ident_mappings: Listed<PostgresIdentMapping>;
  readonly password_kinds: Listed<PostgresPasswordKind>;
  readonly databases: Listed<PostgresDatabase>;
  readonly privileged_functions: Listed<PostgresPrivilegedFunction>;
  readonly parameter_privileges: Listed<PostgresParameterPrivilege>;
  readonly special_objects: Listed<PostgresSpecialObject>;
  readonly mutable_functions: Listed<PostgresMutableFunction>;
  readonly schemas: Listed<PostgresSchema>;
  /** Objects with granted privileges. */
  readonly grants: Listed<PostgresHash>;
  /** Tables with row security, views that run with the rights of the caller, and policies. */
  readonly row_security_hashes: Listed<PostgresHash>;
  readonly relations: Listed<PostgresRelation>;
  readonly columns: Listed<PostgresColumn>;
  readonly policies: Listed<PostgresPolicy>;
  readonly definer_functions: Listed<PostgresDefinerFunction>;
  /** Names of languages whose functions may do anything on the server. */
  readonly untrusted_languages: Listed<string>;
  readonly extensions: Listed<PostgresExtension>;
  readonly user_mappings: Listed<PostgresUserMapping>;
  readonly archiver: Assessment<PostgresArchiver>;
  /** Names of databases with pages that did not match their checksum. */
  readonly checksum_failures: Listed<string>;
}
