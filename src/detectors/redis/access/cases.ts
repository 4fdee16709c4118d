import type { RedisCapture } from '../../../captures/redis.ts';
import type { GoldenCase } from '../../golden-case.ts';
import {
  applicationRules,
  notSeen,
  openRedisWith,
  redisWith,
  rows,
  seen,
  user,
  withUsers,
} from '../hardened-capture.ts';

const noPassword = 'redis.no_password';
const userNoPassword = 'redis.user_no_password';
const protectedMode = 'redis.protected_mode_off';
const everywhere = 'redis.listens_everywhere';
const ofDefault = (severity: 'critical' | 'high' | 'low' | 'info') => ({
  check: noPassword,
  locator: 'default user',
  severity,
});
const open = { nopass: true, passwords: 0 } as const;

export const cases: readonly GoldenCase<RedisCapture>[] = [
  { name: 'a hardened server', capture: redisWith(), expected: [] },
  { name: 'the default server of Debian', capture: openRedisWith(), expected: [ofDefault('low')] },
  {
    name: 'a server that answers another machine without a login',
    capture: openRedisWith({}, { over: 'network', tls: true }),
    expected: [ofDefault('critical')],
  },
  {
    name: 'the default container: all addresses, no password, protected mode off',
    capture: openRedisWith({ bind: '* -::*', 'protected-mode': 'no' }),
    expected: [
      ofDefault('critical'),
      { check: protectedMode, locator: 'protected-mode', severity: 'high' },
      { check: everywhere, locator: 'bind', severity: 'medium' },
    ],
  },
  {
    name: 'all addresses with protected mode',
    capture: openRedisWith({ bind: '* -::*' }),
    expected: [ofDefault('low'), { check: everywhere, locator: 'bind', severity: 'low' }],
  },
  {
    name: 'protected mode of Redis 6, which `bind` turns off',
    capture: {
      ...openRedisWith({ bind: '0.0.0.0' }),
      info: seen({ redis_version: '6.2.22' }),
    },
    expected: [ofDefault('critical'), { check: everywhere, locator: 'bind', severity: 'medium' }],
  },
  {
    name: 'protected mode of Redis 6 without `bind`',
    capture: { ...openRedisWith({ bind: '' }), info: seen({ redis_version: '6.2.22' }) },
    expected: [ofDefault('low'), { check: everywhere, locator: 'bind', severity: 'low' }],
  },
  {
    name: 'a private address without a password',
    capture: openRedisWith({ bind: '127.0.0.1 10.1.2.3', 'protected-mode': 'no' }),
    expected: [ofDefault('critical'), { check: protectedMode, locator: 'protected-mode', severity: 'high' }],
  },
  {
    name: 'a Unix socket only',
    capture: openRedisWith({ port: '0' }),
    expected: [ofDefault('info')],
  },
  {
    name: 'a default user without a password that may only PING',
    capture: {
      ...withUsers(user('default', '-@all +ping', open)),
      anonymous: seen({ accepted: true, ping: true }),
    },
    expected: [ofDefault('info')],
  },
  {
    name: 'a default user without a password that may read, but not PING',
    capture: {
      ...withUsers(user('default', '~* -@all +get', open)),
      anonymous: seen({ accepted: true, ping: false }),
    },
    expected: [ofDefault('critical')],
  },
  {
    name: 'a default user without a password that may run a single command',
    capture: {
      ...withUsers(user('default', '~* -@all +incr', open)),
      anonymous: seen({ accepted: true, ping: false }),
    },
    expected: [ofDefault('critical')],
  },
  {
    name: 'the same, without the users',
    capture: {
      ...redisWith(),
      anonymous: seen({ accepted: true, ping: false }),
      users: notSeen('The user lacks +acl|list.'),
    },
    expected: [],
    notAssessed: [noPassword, userNoPassword],
  },
  {
    name: 'settings and users cannot be read, and another machine gets answers',
    capture: {
      ...openRedisWith({}, { over: 'network', tls: true }),
      settings: notSeen(),
      users: notSeen('The user lacks +acl|list.'),
    },
    expected: [ofDefault('critical')],
    notAssessed: [everywhere, protectedMode, userNoPassword],
  },
  {
    name: 'the same over loopback',
    capture: { ...openRedisWith(), settings: notSeen(), users: notSeen() },
    expected: [ofDefault('high')],
    notAssessed: [everywhere, protectedMode, userNoPassword],
  },
  {
    name: 'a server that was loading its data, judged by its users',
    capture: { ...openRedisWith(), anonymous: notSeen('The server is loading its data.') },
    expected: [ofDefault('low')],
  },
  {
    name: 'the same without the users',
    capture: {
      ...redisWith(),
      anonymous: notSeen('The server is loading its data.'),
      users: notSeen('The server is loading its data.'),
    },
    expected: [],
    notAssessed: [noPassword, userNoPassword],
  },
  {
    name: 'protected mode off, with a password',
    capture: redisWith({ 'protected-mode': 'no' }),
    expected: [{ check: protectedMode, locator: 'protected-mode', severity: 'info' }],
  },
  {
    name: 'all addresses with TLS and passwords',
    capture: redisWith({ bind: '*' }),
    expected: [{ check: everywhere, locator: 'bind', severity: 'info' }],
  },
  {
    name: 'all addresses with a password, without TLS',
    capture: redisWith({ bind: '0.0.0.0', port: '6379' }),
    expected: [{ check: everywhere, locator: 'bind', severity: 'low' }],
  },
  {
    name: 'a user without a password',
    capture: withUsers(user('shop', applicationRules, open)),
    expected: [{ check: userNoPassword, locator: 'user shop', severity: 'critical' }],
  },
  {
    name: 'a user without a password that is turned off',
    capture: withUsers(user('shop', applicationRules, { ...open, enabled: false })),
    expected: [],
  },
  {
    name: 'a user without a password for health checks',
    capture: withUsers(user('health', '-@all +ping', open)),
    expected: [{ check: userNoPassword, locator: 'user health', severity: 'info' }],
  },
  {
    name: 'a user without a password on loopback',
    capture: {
      ...redisWith({ bind: '127.0.0.1' }),
      connection: { over: 'loopback', tls: true },
      users: rows(user('shop', applicationRules, open)),
    },
    expected: [{ check: userNoPassword, locator: 'user shop', severity: 'low' }],
  },
  {
    name: 'more users than are read',
    capture: { ...redisWith(), users: seen({ rows: [], truncated: true }) },
    expected: [],
    notAssessed: [userNoPassword],
  },
  {
    name: 'a server without these settings',
    capture: redisWith({ bind: null, 'protected-mode': null }),
    expected: [],
    notAssessed: [everywhere, protectedMode],
  },
];
