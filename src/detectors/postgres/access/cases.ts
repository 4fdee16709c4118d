import type { PostgresCapture, PostgresHbaRule } from '../../../captures/postgres.ts';
import type { GoldenCase } from '../../golden-case.ts';
import {
  access,
  captureWith,
  firstSuperuser,
  hbaRule,
  listed,
  nothingRead,
  notRead,
  relation,
  role,
} from '../hardened-capture.ts';

const rules = (...changes: Partial<PostgresHbaRule>[]) =>
  captureWith({ hba_rules: listed(...changes.map(hbaRule)) });
const rulesAt = (listen_addresses: string, ...changes: Partial<PostgresHbaRule>[]) =>
  captureWith({ changed: { listen_addresses }, hba_rules: listed(...changes.map(hbaRule)) });
const everyone: Partial<PostgresHbaRule> = { databases: ['all'], users: ['all'] };
const socket: Partial<PostgresHbaRule> = { ...everyone, type: 'local', address: null, netmask: null };
const everywhere: Partial<PostgresHbaRule> = { ...everyone, type: 'host', address: 'all', netmask: null };
const place = 'hostssl clinic app 10.0.0.0 255.0.0.0';
const withPassword = listed(
  { role: 'postgres', kind: 'scram' } as const,
  { role: 'app', kind: 'scram' } as const,
);
const everyMethod = [
  'hba_trust',
  'hba_password',
  'hba_md5',
  'hba_all_addresses',
  'plaintext_allowed',
  'hba_remote_superuser',
].map(id => `postgres.${id}`);
const rds = listed(firstSuperuser('rdsadmin'), role('rds_superuser', { can_log_in: false }));

/** Rules that need a network, of a server that does not listen on one. */
const unreachable = (listen_addresses: string, ...changes: Partial<PostgresHbaRule>[]) => ({
  ...rulesAt(listen_addresses, ...changes),
  password_kinds: withMd5,
});
const withMd5 = listed({ role: 'postgres', kind: 'scram' } as const, { role: 'old', kind: 'md5' } as const);

export const cases: readonly GoldenCase<PostgresCapture>[] = [
  { name: 'hardened server', capture: captureWith(), expected: [] },
  {
    name: 'every address, on a server that listens on loopback only',
    capture: unreachable('localhost, 127.0.0.2,::1', { address: '0.0.0.0', netmask: '0.0.0.0' }),
    expected: [
      {
        check: 'postgres.hba_all_addresses',
        locator: 'hostssl clinic app 0.0.0.0 0.0.0.0 scram-sha-256',
        severity: 'low',
      },
      'postgres.md5_password',
    ],
  },
  {
    name: 'every address, on a server that listens on loopback, to which another machine forwards',
    capture: {
      ...unreachable('localhost', { address: '0.0.0.0', netmask: '0.0.0.0' }),
      over: 'network',
    },
    expected: [
      {
        check: 'postgres.hba_all_addresses',
        locator: 'hostssl clinic app 0.0.0.0 0.0.0.0 scram-sha-256',
        severity: 'high',
      },
      'postgres.md5_password',
    ],
  },
  {
    name: 'every address, on a server that listens on a name or a network too',
    capture: rulesAt('localhost, 127.example.org', { address: 'all', netmask: null }),
    expected: [
      {
        check: 'postgres.hba_all_addresses',
        locator: 'hostssl clinic app all scram-sha-256',
        severity: 'high',
      },
    ],
  },
  {
    name: 'every address, where the addresses that the server listens on could not be read',
    capture: { ...rules({ address: 'all', netmask: null }), settings: [] },
    expected: [
      {
        check: 'postgres.hba_all_addresses',
        locator: 'hostssl clinic app all scram-sha-256',
        severity: 'high',
      },
    ],
  },
  {
    name: 'rules for a network, on a server that listens on loopback only',
    capture: unreachable(
      '127.0.0.1',
      { method: 'trust' },
      { method: 'trust', address: '0.0.0.0', netmask: '128.0.0.0' },
      { method: 'trust', address: '127.0.0.1', netmask: '255.255.255.255' },
      { type: 'host', method: 'md5' },
      { type: 'host', method: 'password' },
      { users: ['postgres'] },
    ),
    expected: [
      {
        check: 'postgres.hba_trust',
        locator: 'hostssl clinic app 0.0.0.0 128.0.0.0 trust',
        severity: 'medium',
      },
      { check: 'postgres.hba_trust', locator: `${place} trust`, severity: 'low' },
      {
        check: 'postgres.hba_trust',
        locator: 'hostssl clinic app 127.0.0.1 255.255.255.255 trust',
        severity: 'medium',
      },
      { check: 'postgres.hba_md5', locator: 'host clinic app 10.0.0.0 255.0.0.0 md5', severity: 'low' },
      {
        check: 'postgres.hba_password',
        locator: 'host clinic app 10.0.0.0 255.0.0.0 password',
        severity: 'low',
      },
      {
        check: 'postgres.plaintext_allowed',
        locator: 'host clinic app 10.0.0.0 255.0.0.0 md5',
        severity: 'low',
      },
      {
        check: 'postgres.plaintext_allowed',
        locator: 'host clinic app 10.0.0.0 255.0.0.0 password',
        severity: 'low',
      },
      {
        check: 'postgres.hba_remote_superuser',
        locator: 'hostssl clinic postgres 10.0.0.0 255.0.0.0 scram-sha-256',
        severity: 'low',
      },
      'postgres.md5_password',
    ],
  },
  {
    name: 'rules for addresses, on a server that listens on its Unix socket only',
    capture: unreachable(
      '',
      { method: 'trust', address: '127.0.0.1', netmask: '255.255.255.255' },
      { ...socket, method: 'trust' },
    ),
    expected: [
      {
        check: 'postgres.hba_trust',
        locator: 'hostssl clinic app 127.0.0.1 255.255.255.255 trust',
        severity: 'low',
      },
      { check: 'postgres.hba_trust', locator: 'local all all trust', severity: 'medium' },
      'postgres.md5_password',
    ],
  },
  {
    name: 'every address, on loopback behind the proxy of a managed service',
    capture: { ...rulesAt('127.0.0.1', { address: 'all', netmask: null }), roles: rds },
    expected: [
      {
        check: 'postgres.hba_all_addresses',
        locator: 'hostssl clinic app all scram-sha-256',
        severity: 'info',
      },
    ],
  },
  {
    name: 'trust',
    capture: rules({ method: 'trust' }, { ...socket, method: 'trust' }),
    expected: [
      { check: 'postgres.hba_trust', locator: `${place} trust` },
      { check: 'postgres.hba_trust', locator: 'local all all trust' },
    ],
  },
  {
    name: 'ident over the network and on the server’s own machine',
    capture: rules(
      { method: 'ident' },
      { method: 'ident', address: '127.0.0.1', netmask: '255.255.255.255' },
    ),
    expected: [{ check: 'postgres.hba_trust', locator: `${place} ident` }],
  },
  {
    name: 'unencrypted connections from other machines',
    capture: rules(
      { type: 'host' },
      { type: 'hostnossl', users: ['b'] },
      { type: 'hostgssenc', users: ['c'] },
      { type: 'host', address: '127.0.0.1', netmask: '255.255.255.255' },
      { type: 'hostnossl', users: ['d'], method: 'reject' },
    ),
    expected: [
      { check: 'postgres.plaintext_allowed', locator: 'host clinic app 10.0.0.0 255.0.0.0 scram-sha-256' },
      { check: 'postgres.plaintext_allowed', locator: 'hostnossl clinic b 10.0.0.0 255.0.0.0 scram-sha-256' },
    ],
  },
  {
    name: 'unencrypted connections are rejected first',
    capture: rules({ ...everywhere, type: 'hostnossl', method: 'reject' }, { type: 'host' }),
    expected: [],
  },
  {
    name: 'the password in clear text',
    capture: rules({ method: 'password', users: ['b', 'a'] }),
    expected: [{ check: 'postgres.hba_password', locator: 'hostssl clinic a,b 10.0.0.0 255.0.0.0 password' }],
  },
  {
    name: 'a password for LDAP in clear text, over an unencrypted connection',
    capture: rules({ type: 'host', method: 'ldap' }),
    expected: [
      { check: 'postgres.hba_password', locator: 'host clinic app 10.0.0.0 255.0.0.0 ldap' },
      'postgres.plaintext_allowed',
    ],
    notAssessed: ['postgres.hba_password'],
  },
  {
    name: 'a password that another service verifies',
    capture: rules({ method: 'ldap' }),
    expected: [],
    notAssessed: ['postgres.hba_password'],
  },
  {
    name: 'MD5',
    capture: rules({ method: 'md5' }),
    expected: [{ check: 'postgres.hba_md5', locator: `${place} md5` }],
  },
  {
    name: 'every address, in all notations',
    capture: rules(
      { address: '0.0.0.0', netmask: '0.0.0.0' },
      { address: '::', netmask: '::' },
      { address: 'all', netmask: null },
      { address: '127.0.0.1', netmask: '0.0.0.0' },
    ),
    expected: [
      { check: 'postgres.hba_all_addresses', locator: 'hostssl clinic app 0.0.0.0 0.0.0.0 scram-sha-256' },
      { check: 'postgres.hba_all_addresses', locator: 'hostssl clinic app 127.0.0.1 0.0.0.0 scram-sha-256' },
      { check: 'postgres.hba_all_addresses', locator: 'hostssl clinic app :: :: scram-sha-256' },
      { check: 'postgres.hba_all_addresses', locator: 'hostssl clinic app all scram-sha-256' },
    ],
  },
  {
    name: 'only the server’s own machine and network',
    capture: rules({ address: 'samenet', netmask: null }),
    expected: [],
  },
  {
    name: 'every client is rejected before the rest',
    capture: rules({}, { ...everywhere, method: 'reject' }, { ...everywhere, method: 'trust' }, socket),
    expected: [],
  },
  {
    name: 'only plain connections are rejected before the rest',
    capture: rules({ ...everywhere, type: 'hostnossl', method: 'reject' }, { ...everywhere, users: ['app'] }),
    expected: ['postgres.hba_all_addresses'],
  },
  {
    name: 'a superuser with a password and a rule for all roles',
    capture: { ...rules({ ...everyone }), password_kinds: withPassword },
    expected: [
      { check: 'postgres.hba_remote_superuser', locator: 'hostssl all all 10.0.0.0 255.0.0.0 scram-sha-256' },
    ],
  },
  {
    name: 'a superuser without a password and a rule for all roles',
    capture: rules({ ...everyone }),
    expected: [],
  },
  {
    name: 'the superuser is rejected first',
    capture: {
      ...rules({ ...everywhere, users: ['postgres'], method: 'reject' }, { ...everyone }),
      password_kinds: withPassword,
    },
    expected: [],
  },
  {
    name: 'a rule for all roles, with unknown passwords',
    capture: { ...rules({ ...everyone }), password_kinds: notRead() },
    expected: [],
    notAssessed: ['postgres.hba_remote_superuser', 'postgres.md5_password'],
  },
  {
    name: 'a rule that names the superuser, with unknown passwords',
    capture: { ...rules({ users: ['postgres'] }), password_kinds: notRead() },
    expected: ['postgres.hba_remote_superuser'],
    notAssessed: ['postgres.md5_password'],
  },
  {
    name: 'a rule for all roles on loopback',
    capture: {
      ...rules(
        { ...everyone, address: '127.0.0.1', netmask: '255.255.255.255' },
        { ...everyone, address: '::1', netmask: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
        { ...everyone, address: 'samehost', netmask: null },
      ),
      password_kinds: withPassword,
    },
    expected: [],
  },
  {
    name: 'a broken line',
    capture: rules({ type: '', broken: true, method: '' }),
    expected: [],
    notAssessed: everyMethod,
  },
  {
    name: 'a file that was changed but not loaded',
    capture: { ...rules({ method: 'trust' }), hba_changed: { assessed: true, value: true } },
    expected: ['postgres.hba_trust'],
    notAssessed: everyMethod,
  },
  {
    name: 'a file that may not be loaded',
    capture: { ...rules(), hba_changed: notRead() },
    expected: [],
    notAssessed: everyMethod,
  },
  {
    name: 'the same on a managed service, which loads the file itself',
    capture: { ...rules(), hba_changed: notRead(), roles: rds },
    expected: [],
  },
  {
    name: 'an MD5 password',
    capture: captureWith({ password_kinds: listed({ role: 'app', kind: 'md5' }) }),
    expected: [{ check: 'postgres.md5_password', locator: 'role app' }],
  },
  {
    name: 'an MD5 password of a role of the managed service',
    capture: captureWith({ roles: rds, password_kinds: listed({ role: 'rdsadmin', kind: 'md5' }) }),
    expected: [],
  },
  {
    name: 'the schema public of version 14',
    capture: captureWith({ schemas: listed({ name: 'public', public_may_create: true, api_creators: [] }) }),
    expected: [{ check: 'postgres.public_schema_create', locator: 'schema public' }],
  },
  {
    name: 'tables whose names differ in letters outside ASCII, and in a literal escape',
    capture: captureWith({
      relations: listed(
        ...['\u00e9', '\u00fc', '\\u{e9}', '\\u{5c}u{e9}', 'a\\b'].map(name =>
          relation({ name, row_security: false, access: [access('PUBLIC', { write: true })] }),
        ),
      ),
    }),
    expected: ['\\u{5c}u{5c}u{e9}', '\\u{5c}u{e9}', 'a\\b', '\\u{e9}', '\\u{fc}'].map(name => ({
      check: 'postgres.public_table_write',
      locator: `table public.${name}`,
    })),
  },
  {
    name: 'PUBLIC can write',
    capture: captureWith({
      relations: listed(
        relation({ row_security: false, access: [access('PUBLIC', { write: true })] }),
        relation({ name: 'read', row_security: false, access: [access('PUBLIC')] }),
        relation({ name: 'guarded', access: [access('PUBLIC', { write: true })] }),
        relation({ name: 'emptied', access: [access('PUBLIC', { truncate: true })] }),
        relation({ name: 'of the api', access: [access('anon', { write: true })] }),
      ),
    }),
    expected: [
      { check: 'postgres.public_table_write', locator: 'table public.emptied' },
      { check: 'postgres.public_table_write', locator: 'table public.visits' },
    ],
  },
  {
    name: 'nothing could be read',
    capture: nothingRead,
    expected: [],
    notAssessed: [
      ...everyMethod,
      'postgres.md5_password',
      'postgres.public_schema_create',
      'postgres.public_table_write',
    ],
  },
];
