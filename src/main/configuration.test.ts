import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfiguration } from './configuration.ts';

it('has a default for everything', () => {
  expect(readConfiguration({})).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    databaseUrl: undefined,
    brand: 'service',
    publicPrefix: '',
    privilegedConnections: false,
    targetAllowlist: [],
    logLevel: 'info',
    managementPort: undefined,
    managementHost: '127.0.0.1',
    maxConnections: 2000,
    maxConnectionsPerAddress: 100,
  });
});

it('puts options before the environment', () => {
  expect(readConfiguration({ PORT: '1', PARAPET_DATA: '/a' }, { port: '2', data: '/b' })).toMatchObject({
    port: 2,
    dataDirectory: '/b',
  });
});

it('reads every secret from a file as well', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-test-'));
  const secrets = {
    DATABASE_URL: 'postgresql://u:p@h/d',
    DATABASE_DIRECT_URL: 'postgresql://o:p@h/d',
    PARAPET_MASTER_KEY: 'one',
    PARAPET_OTHER_MASTER_KEYS: 'two\nthree, four',
    PARAPET_OIDC_CLIENT_SECRET: 'five',
  };
  const files = Object.entries(secrets).map(([name, value]) => {
    writeFileSync(join(folder, name), `${value}\n`);
    return [`${name}_FILE`, join(folder, name)];
  });
  const env = {
    PARAPET_OIDC_ISSUER: 'https://id.example',
    PARAPET_OIDC_CLIENT_ID: 'parapet',
    PARAPET_PUBLIC_URL: 'https://parapet.example',
    ...Object.fromEntries(files),
  };
  expect(readConfiguration(env)).toMatchObject({
    databaseUrl: 'postgresql://u:p@h/d',
    databaseDirectUrl: 'postgresql://o:p@h/d',
    masterKey: 'one',
    otherMasterKeys: ['two', 'three', 'four'],
    oidc: { clientSecret: 'five' },
  });
  rmSync(folder, { recursive: true });
  for (const name of Object.keys(secrets)) {
    const missing = { [`${name}_FILE`]: env[`${name}_FILE`], PARAPET_OIDC_ISSUER: 'https://id.example' };
    expect(() => readConfiguration({ PARAPET_OIDC_CLIENT_ID: 'parapet', ...missing })).toThrow(
      `the file in ${name}_FILE cannot be read (ENOENT)`,
    );
  }
});

it.each([
  [{ PORT: '70000' }, /^PORT must be a number from 0 to 65535, not "70000"$/],
  [{ PORT: 'http' }, /^PORT /],
  [{ PARAPET_MANAGEMENT_PORT: 'on' }, /^PARAPET_MANAGEMENT_PORT must be a number from 0 to 65535/],
  [{ PARAPET_MAX_CONNECTIONS: '0' }, /^PARAPET_MAX_CONNECTIONS must be a number from 1/],
  [{ PARAPET_MAX_CONNECTIONS_PER_ADDRESS: '-1' }, /^PARAPET_MAX_CONNECTIONS_PER_ADDRESS /],
  [
    { PARAPET_DATABASE_CONNECTIONS: '23' },
    /^PARAPET_DATABASE_CONNECTIONS must be a number from 24 to 9999, not "23"/,
  ],
  [{ PARAPET_DATABASE_CONNECTIONS: 'all' }, /^PARAPET_DATABASE_CONNECTIONS /],
  [{ PARAPET_PROCESSES: '0' }, /^PARAPET_PROCESSES \(--processes\) must be a number from 1 to 64/],
  [{ PARAPET_PROCESSES: '65' }, /^PARAPET_PROCESSES /],
  [{ PARAPET_BRAND: 'Two Words' }, /^PARAPET_BRAND /],
  [{ PARAPET_PUBLIC_PREFIX: 'no-slash' }, /^PARAPET_PUBLIC_PREFIX /],
  [{ PARAPET_PRIVILEGED_CONNECTIONS: 'yes' }, /^PARAPET_PRIVILEGED_CONNECTIONS must be on or off/],
  [{ PARAPET_LOG_LEVEL: 'loud' }, /^PARAPET_LOG_LEVEL /],
  [{ PARAPET_POSTGRES_UID: '0' }, /^PARAPET_POSTGRES_UID must be a numeric user ID other than root/],
  [{ PARAPET_POSTGRES_UID: 'postgres' }, /^PARAPET_POSTGRES_UID /],
  [{ DATABASE_URL: 'postgresql://u:a-secret@h/d' }, /^PARAPET_MASTER_KEY is required with DATABASE_URL/],
  [{ PARAPET_PUBLIC_URL: 'parapet.example' }, /^PARAPET_PUBLIC_URL must be a URL such as/],
  [{ PARAPET_PUBLIC_URL: 'https://a-secret@p.example' }, /^PARAPET_PUBLIC_URL /],
  [{ PARAPET_OTHER_MASTER_KEYS: 'a-secret' }, /^PARAPET_OTHER_MASTER_KEYS requires PARAPET_MASTER_KEY/],
])('says in one line what is wrong with %j', (env, message) => {
  expect(() => readConfiguration(env)).toThrow(message);
  expect(() => readConfiguration(env)).not.toThrow(/a-secret/);
});
