import type { RedisPermissions, RedisUser } from '../../captures/redis.ts';

/** Commands with their categories, as `COMMAND INFO` of Redis 7.0 reports them; of containers, one subcommand each. */
export const categories: Readonly<Record<string, readonly string[]>> = {
  'config|set': ['admin', 'slow', 'dangerous'],
  'module|load': ['admin', 'slow', 'dangerous'],
  debug: ['admin', 'slow', 'dangerous'],
  'acl|setuser': ['admin', 'slow', 'dangerous'],
  replicaof: ['admin', 'slow', 'dangerous'],
  flushall: ['keyspace', 'write', 'slow', 'dangerous'],
  shutdown: ['admin', 'slow', 'dangerous'],
  monitor: ['admin', 'slow', 'dangerous'],
  migrate: ['keyspace', 'write', 'slow', 'dangerous'],
  'client|kill': ['admin', 'slow', 'dangerous', 'connection'],
  swapdb: ['keyspace', 'write', 'fast', 'dangerous'],
  eval: ['slow', 'scripting'],
  'function|load': ['write', 'slow', 'scripting'],
  get: ['read', 'string', 'fast'],
  set: ['write', 'string', 'slow'],
  hgetall: ['read', 'hash', 'slow'],
  lrange: ['read', 'list', 'slow'],
  smembers: ['read', 'set', 'slow'],
  zrange: ['read', 'sortedset', 'slow'],
  xrange: ['read', 'stream', 'slow'],
  getbit: ['read', 'bitmap', 'fast'],
  geopos: ['read', 'geo', 'slow'],
  pfcount: ['read', 'hyperloglog', 'slow'],
  del: ['keyspace', 'write', 'slow'],
};

/** With any of these, a user takes over the server or its machine, or gives itself more. */
export const takeover = ['config|set', 'module|load', 'debug', 'acl|setuser', 'replicaof'] as const;
/** With these, a user stops the server, deletes or copies all data, or sees the commands of others. */
export const disruptive = ['flushall', 'shutdown', 'monitor', 'migrate', 'client|kill', 'swapdb'] as const;
export const scripting = ['eval', 'function|load'] as const;
const ofData = [
  ...[
    'get',
    'set',
    'hgetall',
    'lrange',
    'smembers',
    'zrange',
    'xrange',
    'getbit',
    'geopos',
    'pfcount',
    'del',
  ],
] as const;
/** Commands, and containers of them, that read and change no values. */
const withoutData = new Set([
  ...['acl', 'asking', 'auth', 'bgrewriteaof', 'bgsave', 'client', 'cluster', 'command', 'config', 'dbsize'],
  ...[
    'debug',
    'discard',
    'echo',
    'eval',
    'evalsha',
    'exec',
    'failover',
    'fcall',
    'flushall',
    'flushdb',
    'function',
  ],
  ...[
    'hello',
    'info',
    'lastsave',
    'latency',
    'memory',
    'migrate',
    'module',
    'monitor',
    'multi',
    'ping',
    'psync',
  ],
  ...[
    'publish',
    'pubsub',
    'psubscribe',
    'quit',
    'readonly',
    'readwrite',
    'replconf',
    'replicaof',
    'reset',
    'role',
  ],
  ...[
    'save',
    'script',
    'select',
    'shutdown',
    'slaveof',
    'slowlog',
    'subscribe',
    'swapdb',
    'sync',
    'time',
    'wait',
  ],
]);

/** By command, since every selector of every user is compared. */
const namesOf = new Map<string, ReadonlySet<string>>();

/** What rules call a command: itself, its container, and its categories. */
const rulesNaming = (command: string): ReadonlySet<string> =>
  new Set([
    '@all',
    ...[command.split('|', 1)[0]!, command],
    ...(categories[command] ?? []).map(name => `@${name}`),
  ]);

/** Rules apply in their order: https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/ */
function mayRun({ commands }: RedisPermissions, command: string): boolean {
  const names = namesOf.get(command) ?? rulesNaming(command);
  namesOf.set(command, names);
  const last = commands.findLast(rule => names.has(rule.slice(1).toLowerCase()));
  return last?.startsWith('+') ?? false;
}

const permissionsOf = ({ root, selectors }: RedisUser) => [root, ...selectors];

export const commandsOf = (user: RedisUser, commands: readonly string[]) =>
  commands.filter(command => permissionsOf(user).some(permissions => mayRun(permissions, command)));

/** Whether it may read or change values of some keys, by a category or by a single command. */
export const hasData = (user: RedisUser) =>
  permissionsOf(user).some(
    permissions =>
      permissions.keys.length > 0 &&
      (ofData.some(command => mayRun(permissions, command)) || permissions.commands.some(namesData)),
  );

function namesData(rule: string): boolean {
  const [name = ''] = rule.slice(1).toLowerCase().split('|');
  return rule.startsWith('+') && !name.startsWith('@') && !withoutData.has(name);
}

/** Whether it may do everything with everything: the server's administrator. */
export const isUnrestricted = ({ root }: RedisUser) =>
  [...takeover, ...disruptive, ...ofData].every(command => mayRun(root, command)) &&
  root.keys.some(pattern => ['~*', 'allkeys', '%RW~*'].includes(pattern));

/** Users that can log in. */
export const canLogIn = ({ enabled, nopass, passwords }: RedisUser) => enabled && (nopass || passwords > 0);
