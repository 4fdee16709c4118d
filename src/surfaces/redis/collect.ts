import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import type { RedisCapture } from '../../captures/redis.ts';
import { ConnectionFailed } from '../connection/connection-failed.ts';
import { type ConnectionTestOptions, withinBudget, withServer } from '../connection/connection-test.ts';
import { redisForm } from '../connection/dsn.ts';
import { connectionErrorCode } from '../connection/failure.ts';
import { type RedisQuery, redisQueries, settingNames } from './commands.ts';
import { errorCodeOfRefusal } from './failure.ts';
import { readInfo, readModules, readSettings, readUsers } from './read-replies.ts';
import { RefusedCommand, type Reply } from './replies.ts';
import { openRedis, type RedisSession } from './session.ts';

const defaultBudgetMs = 20_000;

/**
 * Collects what the Redis detectors read, in one connection: 20 seconds, 4 MB. It only reads, and no key or value.
 *
 * @param host as stored on the source
 * @throws TargetRefused if the guard refuses the host
 * @throws ConnectionFailed if the server cannot be reached, refuses the credential or answers nonsense
 * @throws the signal's reason if aborted
 */
export async function collectRedis(
  host: string,
  options: ConnectionTestOptions<'dsn'>,
): Promise<RedisCapture> {
  return withinBudget(options, defaultBudgetMs, connectionErrorCode, signal =>
    withServer(host, redisForm, options, signal, async server => readAll(await openRedis(server, signal))),
  );
}

/** Asks before and after the login. What the server refuses is not assessed, with the reason. */
export async function readAll(session: RedisSession): Promise<RedisCapture> {
  const collected_at = new Date().toISOString();
  const anonymous = await lookAsStranger(session);
  await session.logIn();
  const absent: string[] = [];
  const info = await part(session, 'server', absent, readInfo);
  const settings = await part(session, 'settings', absent, replies => readSettings(settingNames, replies));
  const users = await part(session, 'users', absent, readUsers);
  // Most servers have no modules, but one that leaves out what every server has may leave out these.
  const leavesOut = [info, settings, users].some(part => !part.assessed && part.reason === nothing);
  const modules = await part(session, 'modules', absent, replies => {
    const list = readModules(replies);
    return leavesOut && list.rows.length === 0 ? null : list;
  });
  return {
    collected_at,
    connection: { over: session.over, tls: session.tls },
    anonymous,
    info,
    settings,
    users,
    modules,
    absent,
  };
}

/** PING as a client without a login. Without a password, it is logged in as the default user, who may lack PING. */
async function lookAsStranger(session: RedisSession): Promise<RedisCapture['anonymous']> {
  const [reply] = await session.ask([['PING']]);
  if (!(reply instanceof RefusedCommand)) return { assessed: true, value: { accepted: true, ping: true } };
  const code = errorCodeOfRefusal(reply, 'connection_failed');
  // The server closes the connection after these.
  if (reply.code === 'DENIED' || code === 'too_many_connections') throw new ConnectionFailed(code);
  const needsLogin = reply.code === 'NOAUTH';
  if (!needsLogin && reply.code !== 'NOPERM') return notAssessed(reasonFor(reply, '+ping'));
  return { assessed: true, value: { accepted: !needsLogin, ping: false } };
}

async function part<T>(
  session: RedisSession,
  name: RedisQuery['name'],
  absent: string[],
  read: (replies: readonly Reply[]) => T | null,
): Promise<Assessment<T>> {
  const { commands, permission } = redisQueries.find(query => query.name === name)!;
  // The others follow only if the first is permitted: each refused one is an entry in the server's log.
  const first = await session.ask(commands.slice(0, 1));
  const rest = isRefused(first) || commands.length === 1 ? [] : await session.ask(commands.slice(1));
  const replies = [...first, ...rest];
  const refused = replies.find(reply => reply instanceof RefusedCommand);
  if (refused instanceof RefusedCommand) {
    if (refused.code === 'NOAUTH') throw new ConnectionFailed('auth_failed');
    if (isUnknown(refused)) absent.push(permission);
    return notAssessed(reasonFor(refused, permission));
  }
  const value = read(replies);
  return value === null ? notAssessed(nothing) : { assessed: true, value };
}

const nothing = 'The server answers without what every server has.';

const isRefused = ([reply]: readonly Reply[]) => reply instanceof RefusedCommand;

const isUnknown = ({ text }: RefusedCommand) => /^ERR unknown (?:command|subcommand)/i.test(text);

/** @param permission of the command */
function reasonFor(refused: RefusedCommand, permission: string): string {
  const { code } = refused;
  if (code === 'NOPERM') return `The user lacks ${permission}.`;
  if (isUnknown(refused))
    return `The server does not have the command for ${permission}, or it was renamed or disabled.`;
  if (code === 'LOADING') return 'The server is loading its data.';
  return `The server refused the command${code === '' ? '' : ` with ${code}`}.`;
}
