import type net from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { loopbackGuard, rawServer, type TestServer } from '../../../test/support/website.ts';
import type { PostgresCapture } from '../../captures/postgres.ts';
import { detectorsFor } from '../../detectors/catalogue.ts';
import { boundDetections } from '../../scan/bound-results.ts';
import { collectPostgres } from './collect.ts';

/** A server that accepts every login and answers each statement with arbitrary data. */

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
});

const message = (type: string, ...parts: readonly (Buffer | string)[]) => {
  const body = Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const int16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const int32 = (value: number) => Buffer.concat([int16(value >>> 16), int16(value & 0xffff)]);
const ready = message('Z', 'T');
const welcome = Buffer.concat([message('R', int32(0)), ready]);
const done = Buffer.concat([message('C', 'SELECT\0'), ready]);
/** A result with one column of type json (OID 114), named `fact`. */
const columnOfFacts = message(
  'T',
  int16(1),
  'fact\0',
  int32(0),
  int16(0),
  int32(114),
  int16(-1 & 0xffff),
  int32(0),
  int16(0),
);
const row = (value: unknown) => {
  const text = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  return message('D', int16(1), int32(text.length), text);
};
const table = (...facts: unknown[]) => Buffer.concat([columnOfFacts, ...facts.map(row), done]);
const refusal = (code: string) =>
  Buffer.concat([message('E', `SERROR\0C${code}\0Mhunter2hunter2\0\0`), ready]);

const aboutServer = {
  version: '18.4',
  banner: 'PostgreSQL 18.4',
  in_recovery: false,
  database: 'd',
  reader: 'u',
  reader_is_superuser: false,
  reads_all_settings: true,
  reads_all_stats: true,
};

type Answer = (socket: net.Socket, statement: string) => void;

async function collectFrom(answer: Answer, budgetMs = 3_000): Promise<PostgresCapture> {
  const server = await rawServer(socket => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(welcome);
      socket.on('data', query => {
        const statement = query.subarray(5).toString('utf8');
        if (statement.startsWith('select')) answer(socket, statement);
        else socket.write(done);
      });
    });
  });
  servers.push(server);
  return collectPostgres(`127.0.0.1:${server.port}`, {
    guard: loopbackGuard(),
    signal: AbortSignal.timeout(40_000),
    budgetMs,
    credential: { type: 'dsn', dsn: `postgres://u:p@127.0.0.1:${server.port}/d?sslmode=disable` },
  });
}

/** Answers the first query as a real server does, and the others as given. */
const after =
  (answer: Answer): Answer =>
  (socket, statement) =>
    statement.includes('reads_all_stats') ? socket.write(table(aboutServer)) : answer(socket, statement);

/** The query for schemas. */
const ofSchemas = 'n.nspname as name, has_schema_privilege';

it('is read if it behaves', async () => {
  const capture = await collectFrom(after(socket => socket.write(table())));
  expect(capture.server.version).toBe('18.4');
  expect(capture.roles).toEqual({ assessed: true, value: { rows: [], truncated: false } });
  expect(capture.archiver).toEqual({ assessed: false, reason: 'The server returned no rows.' });
});

it('cannot exhaust memory with an endless result', async () => {
  const before = process.memoryUsage().rss;
  let sent = 0;
  const collecting = collectFrom(
    after(socket => {
      socket.write(columnOfFacts);
      const rows = Buffer.concat(Array.from({ length: 500 }, () => row({ name: 'a'.repeat(40) })));
      const pour = () => {
        sent += rows.length;
        if (!socket.destroyed) socket.write(rows, () => setImmediate(pour));
      };
      pour();
    }),
    20_000,
  );
  await expect(collecting).rejects.toMatchObject({ errorCode: 'protocol_invalid' });
  expect(sent).toBeLessThan(64 * 1024 * 1024);
  expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024);
});

/** The description of a result column, by its name and type number. */
const describedAs = (name: string, type: number) =>
  Buffer.concat([
    Buffer.from(`${name}\0`),
    int32(0),
    int16(0),
    int32(type),
    int16(-1 & 0xffff),
    int32(0),
    int16(0),
  ]);

async function cpuMillisecondsOf(work: Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work.catch(() => {});
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

it('cannot announce many columns and send rows without any', async () => {
  const count = 2_500;
  const columns = Array.from({ length: count }, (_, index) => describedAs(`c${index}`, 114));
  const short = Buffer.concat(Array.from({ length: 40_000 }, () => message('D', int16(0))));
  const result = Buffer.concat([message('T', int16(count), ...columns), short, done]);
  const collecting = collectFrom(
    after(socket => socket.write(result)),
    20_000,
  );
  expect(await cpuMillisecondsOf(collecting)).toBeLessThan(1_000);
  await expect(collecting).rejects.toMatchObject({ errorCode: 'protocol_invalid' });
});

it('cannot make the driver parse its texts as dates', async () => {
  const digits = Buffer.alloc(60_000, '1');
  // timestamp, timestamptz, date, interval, timestamp[], point, circle, bytea
  for (const type of [1114, 1184, 1082, 1186, 1115, 600, 718, 17]) {
    const rows = Array.from({ length: 10 }, () => message('D', int16(1), int32(digits.length), digits));
    const result = Buffer.concat([message('T', int16(1), describedAs('fact', type)), ...rows, done]);
    const collecting = collectFrom(
      after(socket => socket.write(result)),
      20_000,
    );
    expect(await cpuMillisecondsOf(collecting), `${type}`).toBeLessThan(1_000);
    await expect(collecting, `${type}`).rejects.toMatchObject({ errorCode: 'protocol_invalid' });
  }
});

it('is read up to a number of rows, and marked as truncated', async () => {
  const schema = { name: 's', public_may_create: false, api_creators: [] };
  const capture = await collectFrom(
    after((socket, statement) => {
      const rows = statement.includes(ofSchemas) ? Array.from({ length: 5_001 }, () => schema) : [];
      socket.write(table(...rows));
    }),
    20_000,
  );
  expect(capture.schemas).toMatchObject({ assessed: true, value: { truncated: true } });
  expect(capture.schemas.assessed && capture.schemas.value.rows.length).toBe(5_000);
});

it('cannot send a field that is larger than any row', async () => {
  const huge = collectFrom(after(socket => socket.write(table({ name: 'a'.repeat(100_000) }))));
  await expect(huge).rejects.toMatchObject({ errorCode: 'protocol_invalid' });
});

it('cannot exceed the time limit by answering slowly', async () => {
  const started = performance.now();
  const slow = collectFrom(socket => {
    const answer = table(aboutServer);
    let at = 0;
    const drip = setInterval(() => socket.write(answer.subarray(at, ++at)), 40);
    socket.on('close', () => clearInterval(drip));
  }, 600);
  await expect(slow).rejects.toMatchObject({ errorCode: 'timeout' });
  expect(performance.now() - started).toBeLessThan(3_000);
});

it('cannot answer with anything but rows of the requested form', async () => {
  const facts = [
    'null',
    '1',
    '"text"',
    '[]',
    '{}',
    '{"__proto__":{"name":"x"}}',
    '{"name":1,"value":{}}',
    'no JSON',
  ];
  for (const fact of facts) {
    const collecting = collectFrom(after(socket => socket.write(table(fact))));
    // A null means that rows do not fit.
    if (fact === 'null')
      await expect(collecting).resolves.toMatchObject({ roles: { value: { truncated: true } } });
    else await expect(collecting, fact).rejects.toMatchObject({ errorCode: 'protocol_invalid' });
    const first = collectFrom(socket => socket.write(table(fact)));
    await expect(first, fact).rejects.toMatchObject({ errorCode: 'protocol_invalid' });
  }
});

it('cannot crash a scan or inject control characters with nonsense', async () => {
  const nasty = '\u0000\u0007<b>\u202e%s {x} \n';
  const capture = await collectFrom(
    after((socket, statement) => {
      if (statement.includes(ofSchemas))
        socket.write(table({ name: nasty, public_may_create: true, api_creators: [] }));
      else if (statement.includes('lanpltrusted')) socket.write(table({ name: nasty.repeat(1000) }));
      else socket.write(table());
    }),
  );
  const detected = detectorsFor('postgres').map(detector => detector.detect(capture));
  const seen = boundDetections(detected).flatMap(detection => detection?.observations ?? []);
  expect(seen.map(({ check }) => check)).toContain('postgres.public_schema_create');
  for (const { seen: sentence, locator } of seen) {
    // A hash replaces what is cut off.
    expect(locator).toMatch(/^[\x20-\x7e…]{1,2048}$/);
    expect(sentence).not.toMatch(/[\u0000-\u001f\u202e]/);
  }
});

it('differs from a server that refuses: after an error, only that part is missing', async () => {
  const capture = await collectFrom(
    after((socket, statement) => {
      if (statement.includes('pg_authid')) socket.write(refusal('42501'));
      else if (statement.includes('pg_policy')) socket.write(refusal('57014'));
      else if (statement.includes('pg_stat_gssapi')) socket.write(refusal('42P01'));
      else if (statement.includes('prosecdef')) socket.write(refusal('XX000'));
      else socket.write(table());
    }),
  );
  const reasonOf = (part: keyof PostgresCapture) => (capture[part] as { reason?: string }).reason;
  expect(reasonOf('password_kinds')).toContain('rolpassword of pg_authid');
  expect(reasonOf('policies')).toBe('The server took longer than 5 seconds to answer.');
  expect(reasonOf('plaintext_sessions')).toBe('This version of the server does not provide it.');
  expect(reasonOf('definer_functions')).toBe('The server refused to answer (SQLSTATE XX000).');
  expect(JSON.stringify(capture)).not.toContain('hunter2');
});
