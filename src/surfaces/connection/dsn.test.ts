import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ConnectionFailed } from './connection-failed.ts';
import { parseDsn } from './dsn.ts';

const form = { schemes: ['postgres', 'postgresql'], defaultPort: 5432 };

it('parses and decodes user, password, host, port and database', () => {
  expect(
    parseDsn('postgresql://r%40b:p%2Fw%3A1:2@DB.Example.com.:6543/sh%20op?sslmode=require', form),
  ).toEqual({
    authority: { hostname: 'db.example.com', port: 6543 },
    user: 'r@b',
    password: 'p/w:1:2',
    database: 'sh op',
    plaintext: false,
  });
  expect(parseDsn('postgres://u@[::1]', form)).toEqual({
    authority: { hostname: '::1', port: 5432 },
    user: 'u',
    password: '',
    database: undefined,
    plaintext: false,
  });
  expect(parseDsn('postgres://u:p@0x7f.1/d?ssl-mode=DISABLED', form)).toMatchObject({
    authority: { hostname: '127.0.0.1', port: 5432 },
    plaintext: true,
  });
});

it.each([
  ['another scheme', 'mysql://u:p@db/d'],
  ['no scheme', 'u:p@db/d'],
  ['key-value pairs', 'host=db user=u password=p'],
  ['no user', 'postgres://db/d'],
  ['an empty user', 'postgres://:p@db/d'],
  ['no host', 'postgres://u:p@/d'],
  ['a host in the query', 'postgres://u:p@db/d?host=evil'],
  ['a second host', 'postgres://u:p@db,evil/d'],
  ['a socket', 'postgres://u:p@%2Fvar%2Frun/d'],
  ['a socket in the query', 'postgres://u:p@db/d?host=/var/run'],
  ['two @ characters', 'postgres://u:p@db@evil/d'],
  ['an ambiguous password', 'postgres://u:p/w@db/d'],
  ['a fragment', 'postgres://u:p@db/d#x'],
  ['port 0', 'postgres://u:p@db:0/d'],
  ['a port above 65535', 'postgres://u:p@db:65536/d'],
  ['a service', 'postgres://u:p@db/d?service=x'],
  ['a file to read', 'postgres://u:p@db/d?sslcert=/etc/passwd'],
  ['its own root certificate', 'postgres://u:p@db/d?sslmode=verify-full&sslrootcert=/tmp/x'],
  ['startup options', 'postgres://u:p@db/d?options=-c%20x'],
  ['no check of the certificate', 'postgres://u:p@db/d?sslmode=no-verify'],
  ['one parameter twice', 'postgres://u:p@db/d?sslmode=require&sslmode=disable'],
  ['both names of one parameter', 'postgres://u:p@db/d?sslmode=require&ssl-mode=DISABLED'],
  ['startup options after a zero byte', 'postgres://u%00options%00x:p@db/d'],
  ['a line break', 'postgres://u:p@db/d%0a'],
  ['a space', 'postgres://u:p @db/d'],
  ['a backslash', 'postgres://u:p@db\\@evil/d'],
  ['an invalid escape', 'postgres://u:p%@db/d'],
  ['a path', 'postgres://u:p@db/d/e'],
])('refuses %s without quoting the DSN', (_, dsn) => {
  expect(() => parseDsn(dsn, form)).toThrow(new ConnectionFailed('invalid_credential'));
});

it('parses what was put into a DSN', () => {
  const part = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter(text => !/[\u0000-\u001f\u007f]/.test(text));
  fc.assert(
    fc.property(part, part, part, (user, password, database) => {
      const dsn = `postgres://${[user, password].map(encodeURIComponent).join(':')}@db/${encodeURIComponent(database)}`;
      expect(parseDsn(dsn, form)).toMatchObject({
        authority: { hostname: 'db', port: 5432 },
        user,
        password,
        database,
      });
    }),
  );
});

it('fails on any text with one kind of error', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('postgres://', '@', ':', '/', '?', '%00', 'sslmode=', '[', ']', ','),
  );
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      try {
        parseDsn(pieces.join(''), form);
      } catch (error) {
        expect(error).toEqual(new ConnectionFailed('invalid_credential'));
      }
    }),
  );
});
