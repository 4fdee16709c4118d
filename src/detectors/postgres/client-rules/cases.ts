import type { PostgresCapture, PostgresHbaRule } from '../../../captures/postgres.ts';
import type { PostgresIdentMapping } from '../../../captures/postgres-rights.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { captureWith, firstSuperuser, hbaRule, listed, nothingRead, notRead } from '../hardened-capture.ts';
import { clientRulesChecks } from './checks.ts';

const rules = (...some: Partial<PostgresHbaRule>[]) =>
  captureWith({ hba_rules: listed(...some.map(hbaRule)) });
const everyone = { databases: ['all'], users: ['all'] };
const mapping = (changes: Partial<PostgresIdentMapping> = {}): PostgresIdentMapping => ({
  map: 'staff',
  any_system_user: true,
  own_role: false,
  role: 'postgres',
  broken: false,
  ...changes,
});
const maps = (...some: Partial<PostgresIdentMapping>[]) => ({
  ...rules({ method: 'cert', map: 'staff' }),
  ident_mappings: listed(...some.map(mapping)),
});
const invalid: Partial<PostgresHbaRule> = { type: '', databases: [], users: [], address: null, broken: true };
const id = (name: string) => `postgres.${name}`;

export const cases: readonly GoldenCase<PostgresCapture>[] = [
  { name: 'hardened server', capture: captureWith(), expected: [] },
  {
    name: 'wide networks and a plain LDAP server, on a server that listens on loopback only',
    capture: captureWith({
      changed: { listen_addresses: 'localhost' },
      hba_rules: listed(
        hbaRule({ address: '64.0.0.0', netmask: '192.0.0.0' }),
        hbaRule({ method: 'ldap' }),
        hbaRule({ method: 'ldap', address: 'all', netmask: null }),
      ),
    }),
    expected: [
      {
        check: id('hba_wide_network'),
        locator: 'hostssl clinic app 64.0.0.0 192.0.0.0 scram-sha-256',
        severity: 'low',
      },
      {
        check: id('hba_external_unprotected'),
        locator: 'hostssl clinic app 10.0.0.0 255.0.0.0 ldap',
        severity: 'low',
      },
      { check: id('hba_external_unprotected'), locator: 'hostssl clinic app all ldap', severity: 'medium' },
    ],
  },
  {
    name: 'lines that the server could not read',
    capture: rules({}, invalid, invalid),
    expected: [{ check: id('hba_line_invalid'), locator: 'pg_hba.conf' }],
  },
  {
    name: 'a line with more names than are read is not invalid',
    capture: rules({ broken: true }),
    expected: [],
  },
  {
    name: 'wide public networks',
    capture: rules(
      { address: '52.0.0.0', netmask: '255.0.0.0' },
      { address: '0.0.0.0', netmask: '128.0.0.0' },
      { address: '.example.com', netmask: null },
      { address: '2a00::', netmask: 'ffff::' },
      { address: '2000::', netmask: 'e000::' },
    ),
    expected: [
      { check: id('hba_wide_network'), locator: 'hostssl clinic app .example.com scram-sha-256' },
      {
        check: id('hba_wide_network'),
        locator: 'hostssl clinic app 0.0.0.0 128.0.0.0 scram-sha-256',
        severity: 'high',
      },
      {
        check: id('hba_wide_network'),
        locator: 'hostssl clinic app 2000:: e000:: scram-sha-256',
        severity: 'high',
      },
      { check: id('hba_wide_network'), locator: 'hostssl clinic app 2a00:: ffff:: scram-sha-256' },
      { check: id('hba_wide_network'), locator: 'hostssl clinic app 52.0.0.0 255.0.0.0 scram-sha-256' },
    ],
  },
  {
    name: 'private networks, single hosts, and rules that reject',
    capture: rules(
      { address: '10.0.0.0', netmask: '255.0.0.0' },
      { address: '172.16.0.0', netmask: '255.240.0.0' },
      { address: '203.0.113.7', netmask: '255.255.255.255' },
      { address: '203.0.0.0', netmask: '255.255.0.0' },
      { address: 'fd00::', netmask: 'ff00::' },
      { address: '2001:db8::', netmask: 'ffff:ffff::' },
      { address: 'samenet', netmask: null },
      { address: 'db.example.com', netmask: null },
      { address: '52.0.0.0', netmask: '255.0.0.0', method: 'reject' },
    ),
    expected: [],
  },
  {
    name: 'every role and every database',
    capture: rules(everyone, { ...everyone, address: '127.0.0.1', netmask: '255.255.255.255' }),
    expected: [id('hba_every_role_and_database')],
  },
  {
    name: 'replication for every role',
    capture: rules(
      { databases: ['replication'], users: ['all'] },
      { databases: ['replication'], users: ['replicator'] },
      { databases: ['replication'], users: ['all'], address: 'samehost', netmask: null },
    ),
    expected: [id('hba_replication_open')],
  },
  {
    name: 'services without protection',
    capture: rules(
      { method: 'ldap' },
      { method: 'ldap', ldap_tls: true },
      { method: 'radius' },
      { method: 'gss', any_realm: true },
      { method: 'gss' },
    ),
    expected: [
      { check: id('hba_external_unprotected'), locator: 'hostssl clinic app 10.0.0.0 255.0.0.0 gss' },
      { check: id('hba_external_unprotected'), locator: 'hostssl clinic app 10.0.0.0 255.0.0.0 ldap' },
      {
        check: id('hba_external_unprotected'),
        locator: 'hostssl clinic app 10.0.0.0 255.0.0.0 radius',
        severity: 'low',
      },
    ],
  },
  {
    name: 'a map for everyone',
    capture: maps({}, { own_role: true }, { any_system_user: false }, { map: 'unused' }),
    expected: [{ check: id('ident_map_wide'), locator: 'map staff to postgres' }],
  },
  {
    name: 'an invalid line in pg_ident.conf',
    capture: maps({ any_system_user: false, broken: true }),
    expected: [{ check: id('hba_line_invalid'), locator: 'pg_ident.conf' }],
  },
  {
    name: 'maps that cannot be read, and are used',
    capture: { ...maps(), ident_mappings: notRead() },
    expected: [],
    notAssessed: [id('hba_line_invalid'), id('ident_map_wide')],
  },
  {
    name: 'maps that cannot be read, and are not used',
    capture: captureWith({ ident_mappings: notRead() }),
    expected: [],
  },
  {
    name: 'the rules of a managed service',
    capture: captureWith({
      roles: listed(firstSuperuser('rdsadmin')),
      hba_rules: listed(hbaRule(everyone)),
    }),
    expected: [
      {
        check: id('hba_every_role_and_database'),
        locator: 'hostssl all all 10.0.0.0 255.0.0.0 scram-sha-256',
        severity: 'info',
      },
    ],
  },
  {
    name: 'nothing could be read',
    capture: nothingRead,
    expected: [],
    notAssessed: Object.values(clientRulesChecks).map(check => check.id),
  },
];
