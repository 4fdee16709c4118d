import type { PostgresCapture } from '../../../captures/postgres.ts';
import type { GoldenCase } from '../../golden-case.ts';
import {
  captureWith,
  firstSuperuser,
  hbaRule,
  listed,
  nothingRead,
  notRead,
  role,
} from '../hardened-capture.ts';

const everywhere = hbaRule({
  type: 'host',
  databases: ['all'],
  users: ['all'],
  address: 'all',
  netmask: null,
});
const rejectsAll = { ...everywhere, method: 'reject' };
const timeouts = {
  statement_timeout: '0',
  transaction_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
};
const noTimeout = ['postgres.statement_timeout_off', 'postgres.idle_timeout_off'];
const override = (name: string, value: string, role: string | null = 'app') =>
  listed({ role, database: null, name, value });
const ofDatabase = (name: string, value: string) => listed({ role: null, database: 'clinic', name, value });

export const cases: readonly GoldenCase<PostgresCapture>[] = [
  {
    name: 'an old TLS minimum on a server that listens on loopback only',
    capture: captureWith({ changed: { ssl_min_protocol_version: 'TLSv1', listen_addresses: '127.0.0.1' } }),
    expected: [{ check: 'postgres.tls_minimum_old', locator: 'ssl_min_protocol_version', severity: 'low' }],
  },
  { name: 'hardened server', capture: captureWith(), expected: [] },
  {
    name: 'no TLS on the network',
    capture: captureWith({ changed: { ssl: 'off' } }),
    expected: [{ check: 'postgres.ssl_off', locator: 'ssl' }],
    notAssessed: ['postgres.tls_minimum_old'],
  },
  {
    name: 'no TLS on loopback',
    capture: captureWith({ changed: { ssl: 'off', listen_addresses: 'localhost, ::1,127.0.0.1' } }),
    expected: [{ check: 'postgres.ssl_off', locator: 'ssl', severity: 'info' }],
    notAssessed: ['postgres.tls_minimum_old'],
  },
  {
    name: 'no TLS on a unix socket',
    capture: captureWith({ changed: { ssl: 'off', listen_addresses: '' } }),
    expected: [],
    notAssessed: ['postgres.ssl_off', 'postgres.tls_minimum_old'],
  },
  {
    name: 'no TLS, and no client on another machine is allowed',
    capture: captureWith({
      changed: { ssl: 'off', listen_addresses: '*' },
      hba_rules: listed(
        hbaRule({ type: 'host', address: '127.0.0.1', netmask: '255.255.255.255' }),
        rejectsAll,
      ),
    }),
    expected: [{ check: 'postgres.ssl_off', locator: 'ssl', severity: 'info' }],
    notAssessed: ['postgres.tls_minimum_old'],
  },
  {
    name: 'no TLS, and unreadable rules',
    capture: captureWith({ changed: { ssl: 'off' }, hba_rules: notRead() }),
    expected: ['postgres.ssl_off'],
    notAssessed: ['postgres.tls_minimum_old'],
  },
  {
    name: 'unencrypted sessions of the provider’s services and of a customer’s program',
    capture: captureWith({
      roles: listed(firstSuperuser('supabase_admin'), role('authenticator'), role('app')),
      plaintext_sessions: listed(
        { role: 'authenticator', database: 'postgres' },
        { role: 'postgres', database: 'postgres' },
        { role: 'app', database: 'postgres' },
      ),
    }),
    expected: [
      { check: 'postgres.plaintext_session', locator: 'role app on database postgres' },
      { check: 'postgres.plaintext_session', locator: 'role postgres on database postgres' },
    ],
  },
  {
    name: 'Neon’s proxy handles TLS',
    capture: captureWith({
      changed: { ssl: 'off', listen_addresses: '*' },
      roles: listed(firstSuperuser('cloud_admin')),
    }),
    expected: [],
    notAssessed: ['postgres.ssl_off', 'postgres.tls_minimum_old', 'postgres.listens_on_all_addresses'],
  },
  {
    name: 'old TLS',
    capture: captureWith({ changed: { ssl_min_protocol_version: 'TLSv1' } }),
    expected: [{ check: 'postgres.tls_minimum_old', locator: 'ssl_min_protocol_version' }],
  },
  {
    name: 'a hidden minimum version',
    capture: captureWith({ changed: { ssl_min_protocol_version: null } }),
    expected: [],
    notAssessed: ['postgres.tls_minimum_old'],
  },
  {
    name: 'listens on and allows all addresses',
    capture: captureWith({ changed: { listen_addresses: '*' }, hba_rules: listed(everywhere) }),
    expected: [{ check: 'postgres.listens_on_all_addresses', locator: 'listen_addresses' }],
  },
  {
    name: 'a container that allows its network only',
    capture: captureWith({ changed: { listen_addresses: '0.0.0.0,::' } }),
    expected: [],
  },
  {
    name: 'a rule after one that rejects every client',
    capture: captureWith({
      changed: { listen_addresses: '*' },
      hba_rules: listed(hbaRule(), rejectsAll, everywhere),
    }),
    expected: [],
  },
  {
    name: 'listens on all addresses, and unreadable rules',
    capture: captureWith({ changed: { listen_addresses: '*' }, hba_rules: notRead() }),
    expected: [],
    notAssessed: ['postgres.listens_on_all_addresses'],
  },
  {
    name: 'a managed server listens on all addresses',
    capture: captureWith({
      changed: { listen_addresses: '*' },
      hba_rules: notRead(),
      roles: listed(firstSuperuser('rdsadmin')),
    }),
    expected: [],
    notAssessed: ['postgres.listens_on_all_addresses'],
  },
  {
    name: 'MD5 for new passwords',
    capture: captureWith({ changed: { password_encryption: 'md5' } }),
    expected: [{ check: 'postgres.password_encryption_weak', locator: 'password_encryption' }],
  },
  { name: 'no timeouts', capture: captureWith({ changed: timeouts }), expected: noTimeout },
  {
    name: 'an old version without some timeouts',
    capture: captureWith({
      changed: { ...timeouts, transaction_timeout: null, idle_session_timeout: null },
    }),
    expected: noTimeout,
  },
  {
    name: 'a timeout for the application’s role',
    capture: captureWith({ changed: timeouts, overrides: override('statement_timeout', '30s') }),
    expected: ['postgres.idle_timeout_off'],
  },
  {
    name: 'a timeout of zero, which is none',
    capture: captureWith({ changed: timeouts, overrides: override('statement_timeout', '0ms') }),
    expected: noTimeout,
  },
  {
    name: 'a timeout for the database',
    capture: captureWith({ changed: timeouts, overrides: override('transaction_timeout', '10min', null) }),
    expected: [],
  },
  {
    name: 'a timeout for the scanning role only',
    capture: captureWith({
      changed: { ...timeouts, statement_timeout: null },
      overrides: override('statement_timeout', '5s', 'parapet_reader'),
    }),
    expected: ['postgres.idle_timeout_off'],
    notAssessed: ['postgres.statement_timeout_off'],
  },
  {
    name: 'a good setting for the database only',
    capture: captureWith({ overrides: ofDatabase('password_encryption', 'scram-sha-256') }),
    expected: [],
    notAssessed: ['postgres.password_encryption_weak'],
  },
  {
    name: 'a problem in this database only',
    capture: captureWith({
      changed: { password_encryption: 'md5' },
      overrides: ofDatabase('password_encryption', 'md5'),
    }),
    expected: ['postgres.password_encryption_weak'],
    notAssessed: ['postgres.password_encryption_weak'],
  },
  {
    name: 'unencrypted sessions',
    capture: captureWith({
      plaintext_sessions: listed({ role: 'app', database: 'clinic' }, { role: 'follower', database: '' }),
    }),
    expected: [
      { check: 'postgres.plaintext_session', locator: 'role app on database clinic' },
      { check: 'postgres.plaintext_session', locator: 'role follower for replication' },
    ],
  },
  {
    name: 'nothing could be read',
    capture: nothingRead,
    expected: [],
    notAssessed: [
      'postgres.ssl_off',
      'postgres.tls_minimum_old',
      'postgres.listens_on_all_addresses',
      'postgres.password_encryption_weak',
      'postgres.statement_timeout_off',
      'postgres.idle_timeout_off',
      'postgres.plaintext_session',
    ],
  },
];
