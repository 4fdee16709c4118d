import { targetLimits } from '../../captures/limits.ts';
import type { RedisList, RedisModule, RedisPermissions, RedisUser } from '../../captures/redis.ts';
import { ConnectionFailed } from '../connection/connection-failed.ts';
import type { Reply } from './replies.ts';

/** Entries of a list that are kept. A longer list is marked as truncated. */
export const maxEntries = 2_000;

/** Rules of one user, and of all users that are kept, selectors included: far more than any server has. */
const maxRules = 20_000;
const maxRulesOfAll = 50_000;

/** Selectors of all users that are kept: each is judged like a user. */
export const maxSelectors = 2_000;

/** Fields of INFO that detectors read. */
const fields = new Set([
  ...['redis_version', 'valkey_version', 'server_name', 'redis_mode', 'os', 'executable'],
  ...['dragonfly_version', 'rlec_version', 'master_host'],
]);

/** @throws ConnectionFailed if it is not a text, or longer than any name or setting */
function textOf(reply: Reply | undefined): string {
  if (typeof reply === 'number') return String(reply);
  if (typeof reply !== 'string' || reply.length > targetLimits.databaseText) throw invalid();
  return reply;
}

function listOf(reply: Reply | undefined): readonly Reply[] {
  if (!Array.isArray(reply)) throw invalid();
  return reply as readonly Reply[];
}

const invalid = () => new ConnectionFailed('protocol_invalid');

/** Reads sections of INFO; null if one has no field, which no server sends. @throws ConnectionFailed */
export function readInfo(replies: readonly Reply[]): Readonly<Record<string, string>> | null {
  const found = new Map<string, string>();
  for (const reply of replies) {
    if (typeof reply !== 'string') throw invalid();
    if (!reply.includes(':')) return null;
    for (const line of reply.split('\r\n')) {
      const colon = line.indexOf(':');
      const name = line.slice(0, Math.max(colon, 0));
      if (fields.has(name) && !found.has(name)) found.set(name, textOf(line.slice(colon + 1)));
    }
  }
  return Object.fromEntries(found);
}

/**
 * Reads answers to CONFIG GET, each a name and a value, or nothing; null if all are nothing, since every server has some of them.
 *
 * @throws ConnectionFailed
 */
export function readSettings(
  names: readonly string[],
  replies: readonly Reply[],
): Readonly<Record<string, string>> | null {
  const known = new Set(names);
  const entries = replies.flatMap(reply => {
    const [name, value] = listOf(reply);
    return name === undefined ? [] : [[textOf(name).toLowerCase(), textOf(value)] as const];
  });
  const settings = entries.filter(([name]) => known.has(name));
  return settings.length === 0 ? null : Object.fromEntries(settings);
}

/**
 * Reads the answer to ACL LIST; null if it lacks the default user, whom no server can delete. Passwords and their hashes are counted and
 * left out.
 *
 * @throws ConnectionFailed
 */
export function readUsers([reply]: readonly Reply[]): RedisList<RedisUser> | null {
  const lines = listOf(reply);
  const rows: RedisUser[] = [];
  let selectors = 0;
  let rules = 0;
  for (const line of lines.slice(0, maxEntries)) {
    const user = readUser(line);
    selectors += user.selectors.length;
    for (const { commands, keys, channels } of [user.root, ...user.selectors])
      rules += commands.length + keys.length + channels.length;
    if (selectors > maxSelectors || rules > maxRulesOfAll) break;
    rows.push(user);
  }
  const hasDefault = lines.some(line => typeof line === 'string' && line.startsWith('user default '));
  return hasDefault ? { rows, truncated: rows.length < lines.length } : null;
}

function readUser(line: Reply): RedisUser {
  if (typeof line !== 'string') throw invalid();
  const [word, name = '', ...rules] = line.split(' ', maxRules + 3);
  if (word !== 'user' || rules.length > maxRules) throw invalid();
  // Selectors are in parentheses, and contain only rules about commands, keys and channels.
  const own: string[] = [];
  const selectors: string[][] = [];
  let selector: string[] | undefined;
  for (const rule of rules) {
    if (rule.startsWith('(')) {
      selector = [];
      if (selectors.length <= maxSelectors) selectors.push(selector);
    }
    if (!selector) {
      own.push(rule);
      continue;
    }
    selector.push(rule.replace(/^\(/, '').replace(/\)$/, ''));
    if (rule.endsWith(')')) selector = undefined;
  }
  return {
    name: textOf(name),
    enabled: own.includes('on'),
    nopass: own.includes('nopass'),
    passwords: own.filter(rule => /^[#>]/.test(rule)).length,
    root: permissionsOf(own),
    selectors: selectors.map(permissionsOf),
  };
}

function permissionsOf(rules: readonly string[]): RedisPermissions {
  const starting = (pattern: RegExp) => rules.filter(rule => pattern.test(rule)).map(textOf);
  return {
    commands: starting(/^[+-]/),
    keys: starting(/^(?:~|%[RW]{1,2}~|allkeys$)/),
    channels: starting(/^(?:&|allchannels$)/),
  };
}

/** Reads the answer to MODULE LIST: lists of names and values. Parameters may be secrets. @throws ConnectionFailed */
export function readModules([reply]: readonly Reply[]): RedisList<RedisModule> {
  const modules = listOf(reply);
  return { rows: modules.slice(0, maxEntries).map(readModule), truncated: modules.length > maxEntries };
}

function readModule(reply: Reply): RedisModule {
  const parts = listOf(reply);
  const named = (name: string) => {
    const at = parts.findIndex((part, index) => index % 2 === 0 && part === name);
    return at === -1 ? '' : textOf(parts[at + 1]);
  };
  return { name: named('name'), version: named('ver'), path: named('path') };
}
