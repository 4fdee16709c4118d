import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectionFromUrl } from './connection-url.ts';
import { StorageError } from './storage-error.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'connection-url-'));
  await writeFile(join(folder, 'ca.pem'), 'a certificate');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('has what connections need, and leaves out other parameters', () => {
  const url = 'postgresql://u:p%40ss@h:5433/d?application_name=x&max=1000&options=-c%20a%3Db&pgbouncer=false';
  expect(connectionFromUrl(url)).toEqual({
    host: 'h',
    port: 5433,
    user: 'u',
    password: 'p@ss',
    database: 'd',
    ssl: undefined,
  });
});

it('recognizes a pooler in transaction mode', () => {
  expect(connectionFromUrl('postgres://u:p@h/d?pgbouncer=true').isPooled).toBe(true);
});

it('reads several hosts as libpq does, and seeks the one that accepts writes', () => {
  const several = connectionFromUrl('postgresql://u:p,w@a:5433,b,[::1]:5434/d');
  expect(several).toMatchObject({ host: 'a', port: 5433, user: 'u', password: 'p,w', database: 'd' });
  expect(several.hosts!.all).toEqual([
    { host: 'a', port: 5433 },
    { host: 'b', port: undefined },
    { host: '::1', port: 5434 },
  ]);
  const standby = { isStandby: true, isReadOnly: true, server: 'any' };
  expect(several.hosts!.tries()[0]!.refuses(standby)).toBe('it is a standby');
  const any = connectionFromUrl('postgresql://u:p@a,b/d?target_session_attrs=any').hosts!;
  expect(any.tries()[0]!.refuses(standby)).toBe(undefined);
  expect(connectionFromUrl('postgresql://u:p@a/d').hosts).toBe(undefined);
});

it('reads the certificates that it names', () => {
  const url = `postgresql://u:p@h/d?sslmode=verify-full&sslrootcert=${join(folder, 'ca.pem')}`;
  expect(connectionFromUrl(url).ssl).toMatchObject({ ca: 'a certificate' });
});

it.each([
  ['mysql://u:a-secret@h/d', 'DATABASE_URL must read postgresql://user:password@host:port/database'],
  [
    'postgresql://u:a-secret@h:port/d',
    'DATABASE_URL must read postgresql://user:password@host:port/database',
  ],
  ['postgresql://u:a-secret@h/', 'DATABASE_URL must read postgresql://user:password@host:port/database'],
  ['postgresql://u:a-secret@h/d?pgbouncer=yes', 'pgbouncer in DATABASE_URL must be true or false'],
  [
    'postgresql://u:a-secret@h,h:port/d',
    'DATABASE_URL must read postgresql://user:password@host:port/database',
  ],
  [
    'postgresql://u:a-secret@h/d?target_session_attrs=master',
    'target_session_attrs in DATABASE_URL must be one of read-write, primary, any',
  ],
  [
    'postgresql://u:a-secret@h,i/d?target_session_attrs=standby',
    'target_session_attrs in DATABASE_URL must be one of read-write, primary, any',
  ],
  [
    'postgresql://u:a-secret@h/d?sslrootcert=/no/such/ca.pem',
    'DATABASE_URL names a file that cannot be read: /no/such/ca.pem (ENOENT)',
  ],
  [
    'postgresql://u:a-secret@h/d?sslcert=/&sslkey=/',
    'DATABASE_URL names a file that cannot be read: a folder (EISDIR)',
  ],
])('refuses %s in one line without its password', (url, line) => {
  expect(() => connectionFromUrl(url)).toThrow(new StorageError(line));
  expect(line).not.toContain('a-secret');
});

it('names the variable that the URL is from', () => {
  expect(() => connectionFromUrl('x', 'DATABASE_DIRECT_URL')).toThrow(/^DATABASE_DIRECT_URL must read/);
});
