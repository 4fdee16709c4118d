import type { RedisCapture } from '../../../captures/redis.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { module, notSeen, redisWith, rows, seen } from '../hardened-capture.ts';

const dump = 'redis.dump_in_system_folder';
const primary = 'redis.replicates_from_public_address';
const suspicious = 'redis.module_suspicious';

/** Folders of people, in parts: no file of this repository names one. */
const [administrator, home] = ['root', 'home'].map(name => `/${name}`) as [string, string];

const dumpIn = (
  dir: string,
  dbfilename: string,
  severity?: 'critical' | 'medium',
): GoldenCase<RedisCapture> => ({
  name: `snapshots in ${dir} as ${dbfilename}`,
  capture: redisWith({ dir, dbfilename }),
  expected: severity ? [{ check: dump, locator: 'dir', severity }] : [],
});

const loaded = (name: string, path: string, severity?: 'critical' | 'high'): GoldenCase<RedisCapture> => ({
  name: `the module ${name} from ${path}`,
  capture: { ...redisWith(), modules: rows(module(name, path)) },
  expected: severity ? [{ check: suspicious, locator: `module ${name}`, severity }] : [],
});

export const cases: readonly GoldenCase<RedisCapture>[] = [
  { name: 'a hardened server', capture: redisWith(), expected: [] },
  dumpIn('/var/spool/cron/crontabs', 'root', 'critical'),
  dumpIn('/etc/cron.d', 'zzh', 'critical'),
  dumpIn(`${administrator}/.ssh`, 'authorized_keys', 'critical'),
  dumpIn(`${home}/deploy/.ssh`, 'authorized_keys', 'critical'),
  dumpIn('/var/lib/redis/.ssh', 'authorized_keys', 'critical'),
  dumpIn('/tmp', 'exp.so', 'critical'),
  dumpIn('/var/www/html', 'shell.php', 'critical'),
  dumpIn('/var/www/html', 'dump.rdb', 'medium'),
  dumpIn(`${home}/app/public_html`, 'dump.rdb', 'medium'),
  dumpIn('/data', 'dump.rdb'),
  dumpIn('/', 'dump.rdb'),
  dumpIn(administrator, 'dump.rdb'),
  dumpIn('/opt/etc/cron-app', 'cache.rdb'),
  {
    name: 'a replica of a public address',
    capture: redisWith({ replicaof: '203.0.114.7 6379' }, { master_host: '203.0.114.7' }),
    expected: [{ check: primary, locator: 'primary 203.0.114.7' }],
  },
  {
    name: 'a replica of a public IPv6 address, by its settings',
    capture: redisWith({ replicaof: '2a01:4f8::7 6379' }),
    expected: [primary],
  },
  {
    name: 'a replica of a private address',
    capture: redisWith({ replicaof: '10.1.2.9 6379' }, { master_host: '10.1.2.9' }),
    expected: [],
  },
  {
    name: 'a replica of a name',
    capture: redisWith({ replicaof: 'db1.internal 6379' }, { master_host: 'db1.internal' }),
    expected: [],
  },
  loaded('system', '/usr/lib/redis/modules/system.so', 'critical'),
  loaded('ok', '/tmp/ok.so', 'critical'),
  loaded('ok', '/dev/shm/.x/ok.so', 'critical'),
  loaded('ok', '/var/lib/redis/exp.so', 'high'),
  loaded('ok', './exp.so', 'high'),
  loaded('search', '/opt/redis-stack/lib/redisearch.so'),
  loaded('ReJSON', '/usr/local/lib/redis/modules//rejson.so'),
  {
    name: 'a module of Redis before 7.0, without a path',
    capture: { ...redisWith(), modules: rows(module('bf', '')) },
    expected: [],
  },
  {
    name: 'nothing could be read',
    capture: { ...redisWith(), settings: notSeen(), modules: notSeen(), info: notSeen() },
    expected: [],
    notAssessed: [dump, suspicious, primary].sort(),
  },
  {
    name: 'more modules than are read, and no folder',
    capture: {
      ...redisWith({ dir: null }),
      modules: seen({ rows: [], truncated: true }),
    },
    expected: [],
    notAssessed: [dump, suspicious].sort(),
  },
];
