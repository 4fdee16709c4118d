import type { RedisCapture } from '../../../captures/redis.ts';
import type { GoldenCase } from '../../golden-case.ts';
import {
  applicationRules,
  notSeen,
  permissions,
  redisWith,
  rows,
  seen,
  user,
  withUsers,
} from '../hardened-capture.ts';

const unrestricted = 'redis.default_user_unrestricted';
const administrative = 'redis.user_administrative';
const dangerous = 'redis.user_dangerous_commands';
const scripts = 'redis.user_scripts';
const enabled = 'redis.protected_command_enabled';
const ofUsers = [unrestricted, administrative, dangerous, scripts].sort();
const ofShop = (check: string) => ({ check, locator: 'user shop' });

export const cases: readonly GoldenCase<RedisCapture>[] = [
  { name: 'an administrator, an application and the user for scans', capture: redisWith(), expected: [] },
  {
    name: 'a default user with everything',
    capture: { ...redisWith(), users: rows(user('default', '~* &* +@all')) },
    expected: [
      { check: unrestricted, locator: 'default user' },
      { check: scripts, locator: 'default user' },
    ],
  },
  {
    name: 'a default user without dangerous commands',
    capture: withUsers(user('default', '~* &* +@all -@admin -@dangerous -@scripting')),
    expected: [],
  },
  {
    name: 'a default user that is turned off',
    capture: withUsers(user('shop', applicationRules)),
    expected: [],
  },
  {
    name: 'an application with all commands on its keys',
    capture: withUsers(user('shop', '~shop:* +@all')),
    expected: [ofShop(scripts), ofShop(administrative)],
  },
  {
    name: 'an application with CONFIG',
    capture: withUsers(user('shop', `${applicationRules} +config`)),
    expected: [ofShop(administrative)],
  },
  {
    name: 'an application with CONFIG GET only',
    capture: withUsers(user('shop', `${applicationRules} +config|get`)),
    expected: [],
  },
  {
    name: 'an application with CONFIG except CONFIG SET',
    capture: withUsers(user('shop', `${applicationRules} +config -config|set`)),
    expected: [],
  },
  {
    name: 'an application with @admin',
    capture: withUsers(user('shop', `${applicationRules} +@admin`)),
    expected: [ofShop(administrative)],
  },
  {
    name: 'an application without @admin, but with other dangerous commands',
    capture: withUsers(user('shop', '~* +@all -@admin -@scripting')),
    expected: [ofShop(dangerous)],
  },
  {
    name: 'an application with FLUSHALL',
    capture: withUsers(user('shop', `${applicationRules} +flushall`)),
    expected: [ofShop(dangerous)],
  },
  {
    name: 'a job queue with scripts',
    capture: withUsers(user('shop', '~bull:* -@all +@read +@write +eval +evalsha -@dangerous')),
    expected: [ofShop(scripts)],
  },
  {
    name: 'permissions in a selector',
    capture: withUsers(
      user('shop', applicationRules, { selectors: [permissions('~* -@all +get +acl|setuser')] }),
    ),
    expected: [ofShop(administrative)],
  },
  {
    name: 'an application with MODULE and DEBUG, which the server has disabled',
    capture: withUsers(user('shop', `${applicationRules} +module +debug`)),
    expected: [],
  },
  {
    name: 'an application with DEBUG, which the server permits from its own machine',
    capture: {
      ...withUsers(user('shop', `${applicationRules} +debug`)),
      settings: redisWith({ 'enable-debug-command': 'local' }).settings,
    },
    expected: [ofShop(administrative)],
  },
  {
    name: 'an application with MODULE, on a server whose settings cannot be read',
    capture: { ...withUsers(user('shop', `${applicationRules} +module`)), settings: notSeen() },
    expected: [ofShop(administrative)],
    notAssessed: [enabled],
  },
  {
    name: 'rules as Redis 6 writes them',
    capture: withUsers(
      user(
        'shop',
        '~shop:* -@all +@string +@hash +@list +@keyspace -flushdb -swapdb -migrate -flushall -keys',
      ),
    ),
    expected: [],
  },
  {
    name: 'an application with single commands and CONFIG',
    capture: withUsers(user('shop', '~shop:* -@all +incr +expire +config')),
    expected: [ofShop(administrative)],
  },
  {
    name: 'a user of a module’s commands and CONFIG',
    capture: withUsers(user('shop', '~shop:* -@all +json.get +config')),
    expected: [ofShop(administrative)],
  },
  {
    name: 'backups with keys, but no command that reads them',
    capture: withUsers(user('backup', '~* -@all +bgsave +lastsave +info +config +dbsize +select')),
    expected: [],
  },
  {
    name: 'a user of Sentinel, without data',
    capture: withUsers(
      user(
        'sentinel',
        '&* -@all +multi +replicaof +ping +exec +subscribe +config|rewrite +role +client|kill',
      ),
    ),
    expected: [],
  },
  {
    name: 'a user of replicas, without data',
    capture: withUsers(user('replica', '-@all +psync +replconf +ping')),
    expected: [],
  },
  {
    name: 'an application that may do everything, beside the administrator',
    capture: withUsers(user('shop', '~* &* +@all')),
    expected: [ofShop(administrative), ofShop(scripts)],
  },
  {
    name: 'two administrators',
    capture: withUsers(user('db-ops', '~* &* +@all')),
    expected: [],
  },
  {
    name: 'an administrator of another name',
    capture: { ...redisWith(), users: rows(user('jane', '~* &* +@all'), user('shop', applicationRules)) },
    expected: [],
  },
  {
    name: 'two users of other names that may do everything',
    capture: { ...redisWith(), users: rows(user('jane', '~* &* +@all'), user('shop', '~* &* +@all')) },
    expected: ['jane', 'shop'].flatMap(name =>
      [administrative, scripts].map(check => ({ check, locator: `user ${name}` })),
    ),
  },
  {
    name: 'an application without a password, which cannot log in',
    capture: withUsers(user('shop', '~* &* +@all', { passwords: 0 })),
    expected: [],
  },
  {
    name: 'a name that is not printable',
    capture: withUsers(user('sh\u0007op', '~shop:* +@all')),
    expected: [
      { check: scripts, locator: 'user sh\\u{7}op' },
      { check: administrative, locator: 'user sh\\u{7}op' },
    ],
  },
  {
    name: 'protected commands for other machines',
    capture: redisWith({
      'enable-debug-command': 'yes',
      'enable-module-command': 'yes',
      'enable-protected-configs': 'yes',
    }),
    expected: [
      { check: enabled, locator: 'enable-debug-command' },
      { check: enabled, locator: 'enable-module-command' },
      { check: enabled, locator: 'enable-protected-configs' },
    ],
  },
  {
    name: 'protected commands for its own machine',
    capture: redisWith({ 'enable-debug-command': 'local', 'enable-module-command': 'local' }),
    expected: [],
  },
  {
    name: 'Redis before 7.0, without these settings',
    capture: redisWith({
      'enable-debug-command': null,
      'enable-module-command': null,
      'enable-protected-configs': null,
    }),
    expected: [],
    notAssessed: [enabled],
  },
  {
    name: 'nothing could be read',
    capture: { ...redisWith(), settings: notSeen(), users: notSeen('The user lacks +acl|list.') },
    expected: [],
    notAssessed: [...ofUsers, enabled].sort(),
  },
  {
    name: 'more users than are read',
    capture: { ...redisWith(), users: seen({ rows: [], truncated: true }) },
    expected: [],
    notAssessed: ofUsers,
  },
];
