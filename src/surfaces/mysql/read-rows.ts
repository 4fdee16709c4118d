import { targetLimits } from '../../captures/limits.ts';
import type {
  MysqlAccount,
  MysqlAccountList,
  MysqlGlobalGrant,
  MysqlList,
  MysqlObjectGrant,
  MysqlProxyGrant,
  MysqlRoleGrantList,
  MysqlUserList,
} from '../../captures/mysql.ts';
import { ConnectionFailed } from '../connection/connection-failed.ts';
import { maxRows } from './query.ts';

type Row = Readonly<Record<string, unknown>>;

/** Accepts only rows of text, since a hostile server may answer with anything. @throws ConnectionFailed */
function rowsOf(answer: unknown): readonly Row[] {
  if (!Array.isArray(answer)) throw new ConnectionFailed('protocol_invalid');
  return answer.filter((row): row is Row => typeof row === 'object' && row !== null);
}

/** @throws ConnectionFailed for a text that is longer than any name or setting */
function text(row: Row, name: string): string {
  const value = row[name];
  if (typeof value === 'string') {
    if (value.length > targetLimits.databaseText) throw new ConnectionFailed('protocol_invalid');
    return value.toWellFormed();
  }
  return typeof value === 'number' ? String(value) : '';
}

const list = (row: Row, name: string) => text(row, name).split(',').filter(Boolean);

/** @throws ConnectionFailed if the answer is not a list of rows */
export function readVariables(answer: unknown): Readonly<Record<string, string>> {
  const entries = rowsOf(answer).map(row => [text(row, 'Variable_name'), text(row, 'Value')] as const);
  return Object.fromEntries(entries.filter(([name]) => /^[a-z][a-z0-9_.]{1,80}$/.test(name)));
}

/** @throws ConnectionFailed if the answer is not a list of rows */
export function readAccounts(answer: unknown): MysqlAccountList {
  const rows = rowsOf(answer);
  return { accounts: rows.slice(0, maxRows).map(readAccount), truncated: rows.length > maxRows };
}

function readAccount(row: Row): MysqlAccount {
  return {
    user: text(row, 'user'),
    host: text(row, 'host'),
    is_role: text(row, 'is_role') === 'Y',
    locked: text(row, 'locked') === 'Y',
    requires_tls: text(row, 'requires_tls') === 'Y',
    log_ins: list(row, 'log_ins').map(entry => ({ plugin: entry.slice(2), empty: entry.startsWith('1') })),
    unread_log_ins: Number(text(row, 'unread_log_ins')) || 0,
    privileges: list(row, 'privileges'),
    all_privileges: text(row, 'all_privileges'),
  };
}

/** @throws ConnectionFailed if the answer is not a list of rows */
export function readRoleGrants(answer: unknown): MysqlRoleGrantList {
  const rows = rowsOf(answer);
  const grants = rows.slice(0, maxRows).map(row => ({
    role: { user: text(row, 'role'), host: text(row, 'role_host') },
    to: { user: text(row, 'user'), host: text(row, 'host') },
    with_admin: text(row, 'with_admin') === 'Y',
  }));
  return { grants, truncated: rows.length > maxRows };
}

/** @throws ConnectionFailed if the answer is not a list of rows */
export function readUsers(answer: unknown): MysqlUserList {
  const rows = rowsOf(answer);
  return { users: rows.slice(0, maxRows).map(row => text(row, 'user')), truncated: rows.length > maxRows };
}

function listOf<T>(answer: unknown, readRow: (row: Row) => T): MysqlList<T> {
  const rows = rowsOf(answer);
  return { rows: rows.slice(0, maxRows).map(readRow), truncated: rows.length > maxRows };
}

const nameIn = (row: Row) => ({ user: text(row, 'user'), host: text(row, 'host') });

/** @throws ConnectionFailed if the answer is not a list of rows */
export function readGlobalGrants(answer: unknown): MysqlList<MysqlGlobalGrant> {
  return listOf(answer, row => ({ to: nameIn(row), privileges: list(row, 'privileges') }));
}

/** @throws ConnectionFailed if the answer is not a list of rows */
export function readObjectGrants(answer: unknown): MysqlList<MysqlObjectGrant> {
  return listOf(answer, row => ({
    to: nameIn(row),
    database: text(row, 'db'),
    table: text(row, 'tbl'),
    is_system: text(row, 'is_system') === 'Y',
    privileges: list(row, 'privileges'),
  }));
}

/** @throws ConnectionFailed if the answer is not a list of rows */
export function readProxyGrants(answer: unknown): MysqlList<MysqlProxyGrant> {
  return listOf(answer, row => ({
    to: nameIn(row),
    proxied: { user: text(row, 'proxied_user'), host: text(row, 'proxied_host') },
  }));
}
