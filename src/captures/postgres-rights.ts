/** A role that was granted to another role. */
export interface PostgresMembership {
  readonly role: string;
  readonly member: string;
  /** Also may grant the role, to itself too. */
  readonly admin: boolean;
  /** Has the role’s privileges without `SET ROLE`. */
  readonly inherits: boolean;
  /** May use `SET ROLE`. Without the options of PostgreSQL 16, every member may. */
  readonly can_set: boolean;
}

export interface PostgresDatabase {
  readonly name: string;
  readonly is_template: boolean;
  readonly public_may_create: boolean;
  readonly public_may_create_temporary: boolean;
  /** Roles of an API that may create schemas, other than through PUBLIC. */
  readonly api_creators: readonly string[];
}

/** Functions of one name that reach past the database, such as `pg_read_file`, and who may execute one of them. */
export interface PostgresPrivilegedFunction {
  readonly name: string;
  /** `PUBLIC` or a role; neither superusers nor predefined roles. */
  readonly role: string;
}

/** A setting for superusers that another role may change (`GRANT … ON PARAMETER`). */
export interface PostgresParameterPrivilege {
  readonly name: string;
  /** `PUBLIC` or a role. */
  readonly role: string;
  /** Also for the whole server. Otherwise, for its own sessions. */
  readonly alter_system: boolean;
}

export const specialKinds = [
  'default privilege',
  'event trigger',
  'publication',
  'large object',
  'foreign key to auth',
  'reg type',
] as const;

/**
 * A kind of object with few of them in a database. The detail is, of
 * - a default privilege, the privileges, such as `SELECT, INSERT`; its name is `tables of owner in schema name`;
 * - an event trigger with a function of a role that is no superuser, a publication of all tables, and a key that refers to a
 *   unique constraint of a schema for authentication, empty;
 * - large objects, which have no names, the privileges;
 * - a column with a `reg…` type that blocks upgrades, the type.
 */
export interface PostgresSpecialObject {
  readonly kind: (typeof specialKinds)[number];
  readonly name: string;
  /** `PUBLIC` or a role of an API that was granted it; null for kinds without grants. */
  readonly role: string | null;
  /** Of an event trigger, the owner of its function; of a default privilege, the role that creates objects. */
  readonly owner: string | null;
  readonly detail: string;
}

/** A function with its caller’s rights that has no search path of its own, in a schema that roles of an API may use. */
export interface PostgresMutableFunction {
  readonly signature: string;
  readonly schema: string;
}

/** A line of `pg_ident.conf`. */
export interface PostgresIdentMapping {
  readonly map: string;
  /** It matches every user of the system, such as the pattern `/^(.*)$`. */
  readonly any_system_user: boolean;
  /** The name of the role follows from the system user’s (`\1`), so that each user has an own one. */
  readonly own_role: boolean;
  readonly role: string;
  readonly broken: boolean;
}
