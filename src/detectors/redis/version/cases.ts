import type { RedisCapture } from '../../../captures/redis.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { module, notSeen, redisWith, rows, seen } from '../hardened-capture.ts';

const vulnerable = 'redis.known_vulnerability';
const ended = 'redis.version_end_of_life';
const behind = 'redis.version_behind';
const outdated = 'redis.version_table_outdated';
const ofModule = 'redis.module_vulnerability';
const has = (id: string) => ({ check: vulnerable, locator: id });

const release = (
  name: string,
  info: Readonly<Record<string, string | null>>,
  expected: GoldenCase<RedisCapture>['expected'],
  notAssessed: readonly string[] = [],
): GoldenCase<RedisCapture> => ({ name, capture: redisWith({}, info), expected, notAssessed });

const loaded = (name: string, version: string, id?: string): GoldenCase<RedisCapture> => ({
  name: `the module ${name} ${version}`,
  capture: { ...redisWith(), modules: rows(module(name, '/opt/redis-stack/lib/m.so', version)) },
  expected: id ? [{ check: ofModule, locator: `module ${name} ${id}` }] : [],
  notAssessed: [behind],
});

const since2025 = ['CVE-2026-25243', 'CVE-2025-49844', 'CVE-2025-21605', 'CVE-2024-46981', 'CVE-2024-31449'];

export const cases: readonly GoldenCase<RedisCapture>[] = [
  release('a release with all known fixes', { redis_version: '7.4.9' }, [], [behind]),
  release('a later release of the same version', { redis_version: '7.4.11' }, [], [behind]),
  release('Redis 8.6 with a known vulnerability', { redis_version: '8.6.1' }, [
    has('CVE-2026-25243'),
    { check: behind, locator: 'Redis 8.6' },
  ]),
  release('Redis 7.4 of 2024', { redis_version: '7.4.0' }, [
    ...since2025.map(has),
    { check: behind, locator: 'Redis 7.4' },
  ]),
  release('Redis 7.2 with the fixes of October 2025', { redis_version: '7.2.11' }, [
    has('CVE-2026-25243'),
    behind,
  ]),
  release(
    'Redis 8.0, which is no longer supported',
    { redis_version: '8.0.6' },
    [has('CVE-2026-25243'), { check: ended, locator: 'Redis 8.0' }],
    [behind],
  ),
  release('Redis 7.0 from its maker', { redis_version: '7.0.15' }, [
    ...since2025.map(has),
    { check: ended, locator: 'Redis 7.0' },
  ]),
  release('Redis 7.0 before its last fixes', { redis_version: '7.0.11' }, [
    ...[...since2025, 'CVE-2022-24834', 'CVE-2023-36824'].map(has),
    ended,
    behind,
  ]),
  release('Redis 5', { redis_version: '5.0.14' }, [
    ...[...since2025, 'CVE-2022-24834'].map(has),
    { check: ended, locator: 'Redis 5.0' },
  ]),
  release(
    'Redis 7.0 of Debian, which backports fixes',
    { redis_version: '7.0.15', executable: '/usr/bin/redis-server' },
    [{ check: ended, locator: 'Redis 7.0', severity: 'medium' }],
    [behind, vulnerable],
  ),
  release(
    'Redis 7.0 of Debian, started by its name',
    { redis_version: '7.0.15', executable: '/var/lib/redis/redis-server' },
    [{ check: ended, locator: 'Redis 7.0', severity: 'medium' }],
    [behind, vulnerable],
  ),
  release(
    'Valkey',
    { redis_version: '7.2.4', server_name: 'valkey', valkey_version: '8.1.8' },
    [],
    [behind, vulnerable],
  ),
  release(
    'Valkey behind',
    { redis_version: '7.2.4', server_name: 'valkey', valkey_version: '8.1.1' },
    [{ check: behind, locator: 'Valkey 8.1' }],
    [vulnerable],
  ),
  release(
    'Valkey of Debian',
    { redis_version: '7.2.4', valkey_version: '8.1.1', executable: '/usr/bin/valkey-server' },
    [],
    [behind, vulnerable],
  ),
  release(
    'Valkey without its own version',
    { redis_version: '7.2.4', server_name: 'valkey' },
    [],
    [behind, ended, vulnerable].sort(),
  ),
  release(
    'Dragonfly, which names a version of Redis for compatibility',
    { redis_version: '6.2.11', dragonfly_version: 'df-v1.30.0' },
    [],
    [behind, ended, vulnerable].sort(),
  ),
  release(
    'KeyDB',
    { redis_version: '6.3.4', executable: '/usr/local/bin/keydb-server' },
    [],
    [behind, ended, vulnerable].sort(),
  ),
  release(
    'Amazon ElastiCache',
    { redis_version: '6.2.6', os: 'Amazon ElastiCache' },
    [],
    [behind, vulnerable],
  ),
  {
    name: 'a service that removed CONFIG',
    capture: {
      ...redisWith({}, { redis_version: '6.0.14' }),
      absent: ['+config|get'],
    },
    expected: [{ check: ended, locator: 'Redis 6.0', severity: 'medium' }],
    notAssessed: [behind, vulnerable],
  },
  {
    name: 'Sentinel, which has no CONFIG',
    capture: {
      ...redisWith({}, { redis_version: '6.0.14', redis_mode: 'sentinel' }),
      absent: ['+config|get'],
    },
    expected: [
      ...[...since2025, 'CVE-2022-24834'].map(has),
      { check: ended, locator: 'Redis 6.0' },
      { check: behind, locator: 'Redis 6.0' },
    ],
  },
  release('a version that the list does not contain', { redis_version: '8.10.0' }, [], [behind, ended]),
  release('a version between two that were fixed', { redis_version: '7.3.241' }, since2025.map(has), [
    behind,
    ended,
  ]),
  release('no version', { redis_version: null }, [], [behind, ended, vulnerable].sort()),
  loaded('bf', '20406', 'CVE-2024-25115'),
  loaded('bf', '20407'),
  loaded('bf', '20609', 'CVE-2024-25115'),
  loaded('bf', '80000'),
  loaded('search', '20820', 'CVE-2024-51737'),
  loaded('search', '21010'),
  loaded('search', '20416'),
  loaded('timeseries', '11202', 'CVE-2024-51480'),
  loaded('timeseries', '11205'),
  loaded('constructor', '10000'),
  loaded('bf', '1'),
  {
    name: 'more modules than are read',
    capture: { ...redisWith(), modules: seen({ rows: [], truncated: true }) },
    expected: [],
    notAssessed: [behind, ofModule],
  },
  {
    name: 'modules could not be read',
    capture: { ...redisWith(), modules: notSeen('The user lacks +module|list.') },
    expected: [],
    notAssessed: [behind, ofModule],
  },
  {
    name: 'an outdated list',
    capture: { ...redisWith(), collected_at: '2027-11-21T12:00:00.000Z' },
    expected: [{ check: outdated, locator: 'Redis' }],
    notAssessed: [behind],
  },
  {
    name: 'INFO could not be read',
    capture: { ...redisWith(), info: notSeen('The user lacks +info.') },
    expected: [],
    notAssessed: [vulnerable, behind, ended, outdated].sort(),
  },
];
