import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import type { OidcSettings } from '../dashboard/sign-in/oidc.ts';
import { secretOf } from '../domain/secret-variable.ts';
import { defaultTransportLimits as limits } from '../http/transport-limits.ts';
import type { SmtpSettings } from '../messages/mail/smtp.ts';
import { leastConnections } from '../resources/pool-sizes.ts';
import { ConfigurationError } from './configuration-error.ts';
import { readSmtpSettings } from './smtp-settings.ts';

export interface Configuration {
  readonly port: number;
  readonly host: string;
  /** Absolute path of the data folder. */
  readonly dataDirectory: string;
  /** An external PostgreSQL; undefined for the private one in the data folder. */
  readonly databaseUrl: string | undefined;
  /** The same PostgreSQL without a pooler in between. */
  readonly databaseDirectUrl: string | undefined;
  /** A standby for reads that may be a second old. */
  readonly databaseReplicaUrl: string | undefined;
  /** Whether a pooler in transaction mode is behind `databaseUrl`, which may say so too. */
  readonly isDatabasePooled: boolean;
  /** User that runs the private PostgreSQL when Parapet runs as root; undefined for the default uid. */
  readonly postgresUser: { readonly uid: number; readonly gid: number } | undefined;
  /** The word in `x-<brand>-…` headers. */
  readonly brand: string;
  /** Path prefix that a proxy adds, without a trailing slash; empty for none. */
  readonly publicPrefix: string;
  /** Public URL of the service, without a trailing slash; undefined if not set. */
  readonly publicUrl: string | undefined;
  /** base64 of 32 bytes, not yet validated. */
  readonly masterKey: string | undefined;
  /** Earlier master keys in the same form, used for decryption only. */
  readonly otherMasterKeys: readonly string[];
  /** Ids of master keys that the operator has declared lost. */
  readonly lostMasterKeys: readonly string[];
  readonly privilegedConnections: boolean;
  /** CIDRs of non-public addresses that scans may reach. */
  readonly targetAllowlist: readonly string[];
  /** CIDRs of non-public addresses that webhooks of chat channels may have. */
  readonly webhookAllowlist: readonly string[];
  /** Addresses and CIDRs of proxies whose forwarded client address is trusted. */
  readonly trustedProxies: readonly string[];
  /** Undefined for the default port, or a free port if that is in use. */
  readonly managementPort: number | 'off' | undefined;
  readonly managementHost: string;
  /** Maximum open connections to the public port. */
  readonly maxConnections: number;
  /** Maximum open connections per client address; trusted proxies are exempt. */
  readonly maxConnectionsPerAddress: number;
  /** The most connections of this node to the database; undefined for as many as it uses by default. */
  readonly databaseConnections: number | undefined;
  /** Processes that answer requests; undefined for as many as the machine has room for. */
  readonly processes: number | undefined;
  /** Memory of all sandbox processes of scans together, in bytes. */
  readonly scanMemoryBytes: number;
  /** Seconds between the report on `/readyz` that this node stops and the end of its port. */
  readonly drainSeconds: number;
  readonly logLevel: string;
  /** The mail server for notifications; undefined if there is none. */
  readonly smtp: SmtpSettings | undefined;
  /** OpenID provider for single sign-on. */
  readonly oidc: OidcSettings | undefined;
}

/** Command-line options, which take precedence over the environment. */
export interface ServeOptions {
  readonly port?: string;
  readonly host?: string;
  readonly data?: string;
  readonly processes?: string;
}

/**
 * Reads the environment, and the files that it names. Throws a `ConfigurationError` or `SecretUnreadable` that names the variable and
 * never includes a secret.
 */
export function readConfiguration(env: NodeJS.ProcessEnv, options: ServeOptions = {}): Configuration {
  const databaseUrl = secretOf(env, 'DATABASE_URL');
  const masterKey = secretOf(env, 'PARAPET_MASTER_KEY');
  if (databaseUrl && !masterKey) {
    throw new ConfigurationError(
      'PARAPET_MASTER_KEY is required with DATABASE_URL, and must be the same on every node: 32 bytes in base64 (openssl rand -base64 32)',
    );
  }
  const databaseDirectUrl = secretOf(env, 'DATABASE_DIRECT_URL');
  const pooler = env.DATABASE_POOLER || undefined;
  if (pooler !== undefined) matching('DATABASE_POOLER', pooler, /^transaction$/, 'transaction or empty');
  const databaseReplicaUrl = secretOf(env, 'DATABASE_REPLICA_URL');
  for (const [name, value] of [
    ['DATABASE_POOLER', pooler],
    ['DATABASE_DIRECT_URL', databaseDirectUrl],
    ['DATABASE_REPLICA_URL', databaseReplicaUrl],
  ]) {
    if (value && !databaseUrl) throw new ConfigurationError(`${name} requires DATABASE_URL`);
  }
  const otherMasterKeys = commaSeparated(secretOf(env, 'PARAPET_OTHER_MASTER_KEYS'));
  if (otherMasterKeys.length > 0 && !masterKey) {
    throw new ConfigurationError('PARAPET_OTHER_MASTER_KEYS requires PARAPET_MASTER_KEY');
  }
  const address = publicUrl(env.PARAPET_PUBLIC_URL || undefined);
  return {
    port: port('PORT', options.port ?? env.PORT ?? '8080'),
    host: options.host ?? env.HOST ?? '127.0.0.1',
    dataDirectory: resolve(options.data ?? env.PARAPET_DATA ?? './data'),
    databaseUrl,
    databaseDirectUrl,
    databaseReplicaUrl,
    isDatabasePooled: pooler !== undefined,
    postgresUser: postgresUser(env.PARAPET_POSTGRES_UID || undefined),
    brand: matching(
      'PARAPET_BRAND',
      env.PARAPET_BRAND || 'service',
      /^[a-z][a-z0-9]{0,31}$/,
      'up to 32 lowercase letters and digits, starting with a letter',
    ),
    publicPrefix: prefix(env.PARAPET_PUBLIC_PREFIX ?? ''),
    publicUrl: address,
    oidc: oidcSettings(env, address),
    smtp: readSmtpSettings(env, address),
    masterKey,
    otherMasterKeys,
    lostMasterKeys: commaSeparated(env.PARAPET_LOST_MASTER_KEYS).map(id =>
      matching('PARAPET_LOST_MASTER_KEYS', id, /^[0-9a-f]{16}$/, 'a comma-separated list of key IDs'),
    ),
    privilegedConnections: onOff(
      'PARAPET_PRIVILEGED_CONNECTIONS',
      env.PARAPET_PRIVILEGED_CONNECTIONS || 'off',
    ),
    targetAllowlist: commaSeparated(env.PARAPET_TARGET_ALLOWLIST),
    webhookAllowlist: commaSeparated(env.PARAPET_WEBHOOK_ALLOWLIST),
    trustedProxies: commaSeparated(env.PARAPET_TRUSTED_PROXIES ?? '127.0.0.0/8,::1/128').map(trustedProxy),
    managementPort: managementPort(env.PARAPET_MANAGEMENT_PORT || undefined),
    managementHost: env.PARAPET_MANAGEMENT_HOST || '127.0.0.1',
    maxConnections: count('PARAPET_MAX_CONNECTIONS', env.PARAPET_MAX_CONNECTIONS, limits.connections),
    maxConnectionsPerAddress: count(
      'PARAPET_MAX_CONNECTIONS_PER_ADDRESS',
      env.PARAPET_MAX_CONNECTIONS_PER_ADDRESS,
      limits.connectionsPerAddress,
    ),
    scanMemoryBytes: scanMemory(env.PARAPET_SCAN_MEMORY || undefined),
    databaseConnections: databaseConnections(env.PARAPET_DATABASE_CONNECTIONS || undefined),
    processes: processes(options.processes ?? (env.PARAPET_PROCESSES || undefined)),
    drainSeconds: Number(
      matching(
        'PARAPET_DRAIN_SECONDS',
        env.PARAPET_DRAIN_SECONDS || '0',
        /^\d{1,3}$/,
        'a number from 0 to 999',
      ),
    ),
    logLevel: matching(
      'PARAPET_LOG_LEVEL',
      env.PARAPET_LOG_LEVEL || 'info',
      /^(fatal|error|warn|info|debug|silent)$/,
      'fatal, error, warn, info, debug or silent',
    ),
  };
}

/** Entries between commas or, as in files, line breaks. */
export function commaSeparated(value = ''): string[] {
  return value
    .split(/[,\n]/)
    .map(entry => entry.trim())
    .filter(Boolean);
}

function oidcSettings(env: NodeJS.ProcessEnv, address: string | undefined): OidcSettings | undefined {
  const issuer = env.PARAPET_OIDC_ISSUER || undefined;
  if (issuer === undefined) return undefined;
  if (!/^https?:\/\//.test(issuer) || !URL.canParse(issuer)) {
    throw new ConfigurationError('PARAPET_OIDC_ISSUER must be the URL of an OpenID provider');
  }
  const clientId = env.PARAPET_OIDC_CLIENT_ID;
  const clientSecret = secretOf(env, 'PARAPET_OIDC_CLIENT_SECRET');
  if (!clientId || !clientSecret) {
    throw new ConfigurationError(
      'PARAPET_OIDC_ISSUER requires PARAPET_OIDC_CLIENT_ID and PARAPET_OIDC_CLIENT_SECRET',
    );
  }
  if (!address) {
    throw new ConfigurationError(
      'PARAPET_OIDC_ISSUER requires PARAPET_PUBLIC_URL, which the provider redirects to after sign-in',
    );
  }
  return { issuer, clientId, clientSecret, name: (env.PARAPET_OIDC_NAME || 'single sign-on').slice(0, 60) };
}

function trustedProxy(value: string): string {
  if (ipaddr.isValid(value) || ipaddr.isValidCIDR(value)) return value;
  throw new ConfigurationError(
    `PARAPET_TRUSTED_PROXIES must be a comma-separated list of IP addresses or CIDRs, not ${JSON.stringify(value)}`,
  );
}

function port(name: string, value: string): number {
  const number = Number(value);
  if (!/^\d{1,5}$/.test(value) || number > 65_535) {
    throw new ConfigurationError(`${name} must be a number from 0 to 65535, not ${JSON.stringify(value)}`);
  }
  return number;
}

function managementPort(value: string | undefined): number | 'off' | undefined {
  return value === undefined || value === 'off' ? value : port('PARAPET_MANAGEMENT_PORT', value);
}

function count(name: string, value: string | undefined, usual: number): number {
  return Number(matching(name, value || String(usual), /^[1-9]\d{0,6}$/, 'a number from 1 to 9999999'));
}

function databaseConnections(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (number >= leastConnections) return number;
  throw new ConfigurationError(
    `PARAPET_DATABASE_CONNECTIONS must be a number from ${leastConnections} to 9999, not ${JSON.stringify(value)}`,
  );
}

function processes(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const form = /^([1-9]|[1-5]\d|6[0-4])$/;
  return Number(matching('PARAPET_PROCESSES (--processes)', value, form, 'a number from 1 to 64'));
}

function postgresUser(value: string | undefined): Configuration['postgresUser'] {
  if (value === undefined) return undefined;
  const uid = Number(value);
  if (!/^[1-9]\d{0,9}$/.test(value) || uid >= 2 ** 32 - 1) {
    throw new ConfigurationError(
      `PARAPET_POSTGRES_UID must be a numeric user ID other than root, not ${JSON.stringify(value)}`,
    );
  }
  return { uid, gid: uid };
}

function matching(name: string, value: string, form: RegExp, words: string): string {
  if (!form.test(value))
    throw new ConfigurationError(`${name} must be ${words}, not ${JSON.stringify(value)}`);
  return value;
}

function prefix(value: string): string {
  const trimmed = value.replace(/\/+$/, '');
  if (trimmed === '') return '';
  return matching('PARAPET_PUBLIC_PREFIX', trimmed, /^(\/[A-Za-z0-9._~-]+)+$/, 'a path such as /parapet');
}

function publicUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : null;
  // It is sent in the User-Agent of every scan request, and must not contain credentials.
  const usable = url !== null && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username;
  if (!usable) {
    throw new ConfigurationError(
      'PARAPET_PUBLIC_URL must be a URL such as https://parapet.example.com, without user, query or fragment',
    );
  }
  return url.href.replace(/\/+$/, '');
}

function onOff(name: string, value: string): boolean {
  return matching(name, value, /^(on|off)$/, 'on or off') === 'on';
}

const megabyte = 1024 * 1024;

/** A quarter of the memory of the machine or container, at least 512 MB. @param value in megabytes */
function scanMemory(value: string | undefined): number {
  // Without a limit, it is larger than any machine's memory, or zero.
  const available = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  if (value === undefined) return Math.max(512 * megabyte, available / 4);
  const megabytes = Number(
    matching('PARAPET_SCAN_MEMORY', value, /^[1-9]\d{2,6}$/, 'megabytes, at least 512'),
  );
  if (megabytes < 512) throw new ConfigurationError('PARAPET_SCAN_MEMORY must be at least 512 (megabytes)');
  return megabytes * megabyte;
}
