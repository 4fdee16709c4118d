import type { RedisCapture } from '../../../captures/redis.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { notSeen, openRedisWith, redisWith } from '../hardened-capture.ts';

const plaintext = 'redis.plaintext_allowed';
const version = 'redis.tls_version_old';
const ciphers = 'redis.tls_ciphers_weak';
const clients = 'redis.client_certificates_optional';
const replication = 'redis.replication_plaintext';
const cluster = 'redis.cluster_bus_plaintext';
const ofTls = [clients, ciphers, version];
const all = [clients, cluster, plaintext, replication, ciphers, version].sort();

export const cases: readonly GoldenCase<RedisCapture>[] = [
  { name: 'TLS only', capture: redisWith(), expected: [] },
  {
    name: 'old TLS on a server that listens on loopback only',
    capture: {
      ...redisWith({ 'tls-protocols': 'TLSv1.1 TLSv1.2', 'tls-ciphers': 'RC4', bind: '127.0.0.1 ::1' }),
      connection: { over: 'loopback', tls: true },
    },
    expected: [
      { check: version, locator: 'tls-protocols TLSv1.1', severity: 'low' },
      { check: ciphers, locator: 'tls-ciphers', severity: 'low' },
    ],
  },
  {
    name: 'a plaintext port beside TLS',
    capture: redisWith({ port: '6379', 'tls-port': '6380' }),
    expected: [{ check: plaintext, locator: 'port' }],
  },
  {
    name: 'no TLS, reachable over the network',
    capture: openRedisWith(
      { bind: '10.1.2.3', 'tls-replication': 'no', 'tls-cluster': 'no' },
      { over: 'network', tls: false },
    ),
    expected: [{ check: plaintext, locator: 'port' }],
    notAssessed: ofTls,
  },
  {
    name: 'no TLS, on loopback',
    capture: openRedisWith({ 'tls-replication': 'no', 'tls-cluster': 'no' }),
    expected: [{ check: plaintext, locator: 'port', severity: 'info' }],
    notAssessed: ofTls,
  },
  {
    name: 'TLS 1.0 and 1.1',
    capture: redisWith({ 'tls-protocols': 'TLSv1 TLSv1.1 TLSv1.2' }),
    expected: [
      { check: version, locator: 'tls-protocols TLSv1.0' },
      { check: version, locator: 'tls-protocols TLSv1.1' },
    ],
  },
  {
    name: 'the default versions, which are 1.2 and 1.3',
    capture: redisWith({ 'tls-protocols': '' }),
    expected: [],
  },
  {
    name: 'weak ciphers',
    capture: redisWith({ 'tls-ciphers': 'ECDHE+AESGCM:RC4-SHA' }),
    expected: [{ check: ciphers, locator: 'tls-ciphers' }],
  },
  {
    name: 'strong ciphers',
    capture: redisWith({ 'tls-ciphers': 'ECDHE+AESGCM:ECDHE+CHACHA20' }),
    expected: [],
  },
  {
    name: 'clients without certificates',
    capture: redisWith({ 'tls-auth-clients': 'optional' }),
    expected: [{ check: clients, locator: 'tls-auth-clients' }],
  },
  {
    name: 'a replica without TLS',
    capture: redisWith({ replicaof: '10.1.2.9 6379', 'tls-replication': 'no' }),
    expected: [{ check: replication, locator: 'tls-replication' }],
  },
  {
    name: 'a replica that was made at runtime, of a server without settings for it',
    capture: redisWith({ replicaof: null, 'tls-replication': 'no' }, { master_host: 'db1.internal' }),
    expected: [replication],
  },
  {
    name: 'a replica with TLS',
    capture: redisWith({ replicaof: '10.1.2.9 6379' }, { master_host: '10.1.2.9' }),
    expected: [],
  },
  {
    name: 'a replica of the same machine',
    capture: redisWith({ replicaof: '127.0.0.1 6380', 'tls-replication': 'no' }),
    expected: [],
  },
  {
    name: 'a cluster without TLS',
    capture: redisWith({ 'cluster-enabled': 'yes', 'tls-cluster': 'no' }),
    expected: [{ check: cluster, locator: 'tls-cluster' }],
  },
  { name: 'a cluster with TLS', capture: redisWith({ 'cluster-enabled': 'yes' }), expected: [] },
  {
    name: 'settings cannot be read, and the connection has no TLS',
    capture: { ...redisWith(), connection: { over: 'network', tls: false }, settings: notSeen() },
    expected: [plaintext],
    notAssessed: all.filter(check => check !== plaintext),
  },
  {
    name: 'settings cannot be read, and the connection has TLS',
    capture: { ...redisWith(), settings: notSeen() },
    expected: [],
    notAssessed: all,
  },
  {
    name: 'a server that reports nothing about its ports and TLS',
    capture: {
      ...redisWith({ port: null, 'tls-protocols': null }),
      info: notSeen('The user lacks +info.'),
    },
    expected: [],
    notAssessed: [clients, plaintext, replication, ciphers, version].sort(),
  },
  {
    name: 'a server that does not report its addresses',
    capture: {
      ...redisWith({ port: '6379', bind: null }),
      connection: { over: 'loopback', tls: false },
    },
    expected: [],
    notAssessed: [plaintext],
  },
];
