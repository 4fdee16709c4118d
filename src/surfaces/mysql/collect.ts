import { type Assessment, notAssessed } from '../../captures/assessment.ts';
import type { MysqlCapture } from '../../captures/mysql.ts';
import {
  type ConnectionTestOptions,
  overOf,
  withinBudget,
  withServer,
} from '../connection/connection-test.ts';
import { mysqlForm } from '../connection/dsn.ts';
import { codeOfErrorNumber, mysqlErrorCode } from './failure.ts';
import { mysqlQueries } from './queries.ts';
import type { MysqlFamily, MysqlQuery } from './query.ts';
import {
  readAccounts,
  readGlobalGrants,
  readObjectGrants,
  readProxyGrants,
  readRoleGrants,
  readUsers,
  readVariables,
} from './read-rows.ts';
import { askMysql } from './session.ts';

/** Bytes of all answers together: more than lists of the most accounts with the longest names. */
const maxReceived = 8 * 1024 * 1024;
const defaultBudgetMs = 20_000;

/** Sends one statement of `mysqlQueries` and returns its rows. Rejects with the server's `errno` if it refuses. */
type AskMysql = (sql: string) => Promise<unknown>;

/**
 * Collects what the MySQL detectors read, in one read-only transaction: seven statements, 20 seconds, 8 MB.
 *
 * @param host as stored on the source
 * @throws TargetRefused if the guard refuses the host
 * @throws ConnectionFailed if the server cannot be reached, refuses the credential or answers nonsense
 * @throws the signal's reason if aborted
 */
export async function collectMysql(host: string, options: ConnectionTestOptions<'dsn'>) {
  return withinBudget(options, defaultBudgetMs, mysqlErrorCode, signal =>
    withServer(host, mysqlForm, options, signal, server => {
      const over = overOf(server.socket);
      return askMysql(server, signal, ask => readAll(ask, over), maxReceived);
    }),
  );
}

/**
 * Sends every query over an open connection. What the server refuses is not assessed, with the missing privilege as the
 * reason; any other error ends the collection.
 */
export async function readAll(ask: AskMysql, over: MysqlCapture['over']): Promise<MysqlCapture> {
  const collected_at = new Date().toISOString();
  const variables = await part(ask, 'variables', 'mysql', readVariables);
  const known = variables.assessed ? variables.value : {};
  const family = /mariadb/i.test(known.version ?? '') ? 'mariadb' : 'mysql';
  const accounts = await part(ask, 'accounts', family, readAccounts);
  const hasRoles = family === 'mariadb' || !/^[1-7]\./.test(known.version ?? '');
  const role_grants: MysqlCapture['role_grants'] = hasRoles
    ? await part(ask, 'role grants', family, readRoleGrants)
    : { assessed: true, value: { grants: [], truncated: false } };
  const plaintext = await part(ask, 'plaintext users', family, readUsers);
  // Without the performance schema, the list of connections is empty.
  const isBlind = plaintext.assessed && known.performance_schema !== 'ON';
  return {
    collected_at,
    over,
    variables,
    accounts,
    role_grants,
    plaintext_users: isBlind ? notAssessed('The performance schema is off.') : plaintext,
    global_grants: await part(ask, 'global grants', family, readGlobalGrants),
    object_grants: await part(ask, 'object grants', family, readObjectGrants),
    proxy_grants: await part(ask, 'proxy grants', family, readProxyGrants),
  };
}

async function part<T>(
  ask: AskMysql,
  name: MysqlQuery['name'],
  family: MysqlFamily,
  read: (answer: unknown) => T,
): Promise<Assessment<T>> {
  const { sql, privilege } = mysqlQueries.find(query => query.name === name)!;
  let answer: unknown;
  try {
    answer = await ask(sql[family]);
  } catch (error) {
    const { errno } = error as { errno?: unknown };
    if (typeof errno !== 'number' || errno <= 0) throw error;
    return notAssessed(reasonFor(errno, privilege[family]));
  }
  return { assessed: true, value: read(answer) };
}

/** Access denied to a database, a table or a column, or because of a missing global privilege. */
const denied = new Set([1044, 1142, 1143, 1227]);
/** No such table or column, or a function that this version does not have. */
const unknownThere = new Set([1054, 1109, 1146, 1305, 1630]);

function reasonFor(errno: number, privilege: string | null): string {
  if (denied.has(errno))
    return `The account lacks ${privilege ?? 'a privilege that every account should have'}.`;
  if (unknownThere.has(errno)) return 'This version of the server has no such catalog.';
  if (codeOfErrorNumber(errno) === 'timeout') return 'The server took too long to answer.';
  return `The server answered with error ${errno}.`;
}
