import type { Assessment } from './assessment.ts';

/** A user of the access control list, without passwords and their hashes. */
export interface RedisUser {
  readonly name: string;
  readonly enabled: boolean;
  /** Every password is accepted, including none. */
  readonly nopass: boolean;
  /** Number of stored passwords. */
  readonly passwords: number;
  readonly root: RedisPermissions;
  /** Further permissions, each sufficient by itself. */
  readonly selectors: readonly RedisPermissions[];
}

export interface RedisPermissions {
  /** Rules in the order in which they apply: `-@all`, `+get`, `+config|get`. */
  readonly commands: readonly string[];
  /** Patterns of keys: `~*`, `%R~cache:*`. */
  readonly keys: readonly string[];
  /** Patterns of channels: `&*`. */
  readonly channels: readonly string[];
}

export interface RedisList<T> {
  readonly rows: readonly T[];
  /** There were more than the limit. */
  readonly truncated: boolean;
}

export interface RedisModule {
  readonly name: string;
  /** A number that the module's author chose; 10203 often means 1.2.3. */
  readonly version: string;
  /** Empty before Redis 7.0. */
  readonly path: string;
}

interface RedisAnonymous {
  /** Commands were answered, or refused only because the default user lacks them: clients need no login. */
  readonly accepted: boolean;
  /** PING was answered. */
  readonly ping: boolean;
}

/** Facts about a Redis or Valkey server, without its keys, their values, passwords and password hashes. */
export interface RedisCapture {
  /** ISO 8601. Detectors that compare dates use this time, since they have no clock. */
  readonly collected_at: string;
  /** Parapet's own connection. */
  readonly connection: { readonly over: 'loopback' | 'network'; readonly tls: boolean };
  /** What the server did before the login. */
  readonly anonymous: Assessment<RedisAnonymous>;
  /** Permissions for commands that the server does not have, or that were renamed: `+config|get`. */
  readonly absent: readonly string[];
  /** Fields of INFO by name. Absent if the server does not have the field. */
  readonly info: Assessment<Readonly<Record<string, string>>>;
  /** Settings by name, as the server spells them: `yes`, `* -::*`. Absent if it does not have the setting. */
  readonly settings: Assessment<Readonly<Record<string, string>>>;
  readonly users: Assessment<RedisList<RedisUser>>;
  readonly modules: Assessment<RedisList<RedisModule>>;
}
