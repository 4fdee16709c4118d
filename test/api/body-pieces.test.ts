import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evidenceLimits } from '../../src/contract/dashboard/evidence-limits.ts';
import { limits } from '../../src/contract/limits.ts';
import { uploadHeaders } from '../support/dashboard-client.ts';
import { addPerson } from '../support/people.ts';
import { poll } from '../support/poll.ts';
import { readAnswer } from '../support/raw-http.ts';
import { startService, type TestService } from '../support/service.ts';
import { type SignedParts, signRequest } from '../support/signing-client.ts';
import { createFixture, type Fixture } from './routes.ts';

let service: TestService;
let fixture: Fixture;
/** Connections accepted by the server, by the port of the client. */
const accepted = new Map<number, Socket>();
/** Lengths of the chunks of a body that was read late. */
const late: number[] = [];
let release = () => {};
const released = new Promise<void>(resolve => {
  release = resolve;
});
beforeAll(async () => {
  service = await startService({
    add: app => {
      app.server.on('connection', socket => accepted.set(socket.remotePort!, socket));
      app.post('/late', async ({ raw }) => {
        await released;
        raw.on('data', piece => late.push(piece.length));
        await once(raw, 'end');
        return { read: true };
      });
    },
  });
  fixture = await createFixture(service);
});
afterAll(() => service?.close());

const port = () => Number(new URL(service.url).port);
const chunked = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: x', 'Transfer-Encoding: chunked', ...headers, '', ''].join('\r\n');
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`;

/** Sends everything, and returns the response and the server's socket after the server closes the connection. */
async function sendAll(head: string, body: string): Promise<{ answer: string; server: Socket }> {
  const socket = connect(port(), '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  const { localPort } = socket;
  let answer = '';
  socket.on('data', data => {
    answer += data;
  });
  socket.write(head);
  socket.write(body);
  // The client cannot send the rest, which does not matter here.
  await new Promise(resolve => socket.once('close', resolve));
  return { answer, server: accepted.get(localPort!)! };
}

/** Well below the service's own time limits, so that these tests cannot pass because of them. */
const soon = 15_000;

describe.concurrent('a body in chunks of one byte', () => {
  const body = chunk(1).repeat(1_000_000);
  it.each([
    ['POST /dashboard/api/sign-in', 400],
    ['POST /dashboard/api/none', 400],
    ['POST /api/v1/systems', 401],
    ['POST /api/v1/none', 401],
    ['POST /functions/v1/events-ingest', 401],
    ['POST /none', 404],
    ['GET /healthz', 200],
    ['DELETE /docs', 404],
  ])(
    'of %s is answered with %d, almost unread, and its connection is closed',
    { timeout: soon },
    async (line, status) => {
      const sent = await sendAll(chunked(line, 'Content-Type: application/json'), body);
      const answer = readAnswer(sent.answer);
      expect(answer.status, answer.body).toBe(status);
      if (status === 400) expect(answer.body).toContain('was sent in too many small chunks');
      expect(sent.server.destroyed).toBe(true);
      expect(sent.server.bytesRead).toBeLessThan(256 * 1024);
    },
  );

  it('is buffered as one chunk until it is read', { timeout: soon }, async () => {
    const socket = connect(port(), '127.0.0.1');
    const sent = `${chunked('POST /late')}${chunk(1).repeat(900)}`;
    socket.write(sent);
    await poll('all of it', () => accepted.get(socket.localPort!)?.bytesRead === sent.length);
    release();
    socket.write('0\r\n\r\n');
    const [answer] = await once(socket, 'data');
    expect(readAnswer(String(answer)).status).toBe(200);
    expect(late.reduce((sum, length) => sum + length, 0)).toBe(900);
    expect(late.length).toBeLessThan(5);
    socket.destroy();
  });
});

describe.concurrent('a body that is not read', () => {
  it.each([
    ['POST /none', 404],
    ['POST /dashboard/api/none', 413],
    ['POST /functions/v1/events-ingest', 413],
  ])(
    'of %s lets a client that sends everything first read the response %d, and closes the connection',
    { timeout: soon },
    async (line, status) => {
      const heads = [chunked(line, 'Content-Type: application/json')];
      heads.push(
        `${line} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n`,
      );
      for (const head of heads) {
        const { answer: text, server } = await sendAll(head, chunk(16_384).repeat(1_000));
        const answer = readAnswer(text);
        expect(answer.status).toBe(status);
        expect(answer.head).toMatch(/\r\nconnection: close/i);
        expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
        expect(server.bytesRead).toBeLessThan(2 * 1024 * 1024);
      }
    },
  );

  it('keeps the connection open if it is short', { timeout: soon }, async () => {
    const socket = connect(port(), '127.0.0.1');
    const body = ' '.repeat(limits.bodyBytes);
    socket.write(`POST /none HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`);
    const [first] = await once(socket, 'data');
    expect(readAnswer(String(first)).status).toBe(404);
    socket.write(`${body}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`);
    const [second] = await once(socket, 'data');
    expect(readAnswer(String(second)).status).toBe(200);
    socket.destroy();
  });
});

describe('an ordinary client', () => {
  /** A system's JSON, padded to this many bytes. */
  const padded = (bytes: number) => {
    const json = JSON.stringify({ name: 'A', environment: 'test', kind: 'api' });
    return Buffer.from(`${json}${' '.repeat(bytes - json.length)}`);
  };
  const signed = (body: Buffer): SignedParts => signRequest(fixture.key, 'POST', '/api/v1/systems', body);
  const pieces = (body: Buffer, length: number) =>
    Array.from({ length: Math.ceil(body.length / length) }, (_, index) =>
      body.subarray(index * length, (index + 1) * length),
    );

  it('can send a body up to the limit, whole or streamed in any size, and not a byte more (spec 8)', async () => {
    for (const size of [limits.bodyBytes, 300, 64]) {
      const body = padded(limits.bodyBytes);
      const { headers, target } = signed(body);
      const answer = await fetch(`${service.url}${target}`, {
        method: 'POST',
        headers,
        body: Readable.toWeb(Readable.from(pieces(body, size))) as ReadableStream,
        duplex: 'half',
      } as RequestInit);
      expect(answer.status, `pieces of ${size}`).toBe(201);
    }
    const { headers, target } = signed(padded(limits.bodyBytes + 1));
    const answer = await fetch(`${service.url}${target}`, {
      method: 'POST',
      headers,
      body: padded(limits.bodyBytes + 1),
    });
    expect(answer.status).toBe(413);
  });

  it('can send it slowly, in a thousand segments', async () => {
    for (const bytes of [1_000, limits.bodyBytes]) {
      const body = padded(bytes);
      const { headers, target } = signed(body);
      const socket = connect(port(), '127.0.0.1').setNoDelay();
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      const head = [`POST ${target} HTTP/1.1`, 'Host: x', `Content-Length: ${bytes}`, ...lines, '', ''];
      socket.write(head.join('\r\n'));
      for (const piece of pieces(body, Math.ceil(bytes / 1_000))) {
        await new Promise(resolve => socket.write(piece, resolve));
      }
      const [answer] = await once(socket, 'data');
      expect(readAnswer(String(answer)).status).toBe(201);
      socket.destroy();
    }
  });

  it('can send it with curl, in chunks', async () => {
    const body = padded(100_000);
    const { headers, target } = signed(body);
    const options = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '--data-binary', '@-'];
    const lines = Object.entries({ ...headers, 'Transfer-Encoding': 'chunked' });
    for (const [name, value] of lines) options.push('-H', `${name}: ${value}`);
    const curl = promisify(execFile)('curl', [...options, `${service.url}${target}`]);
    curl.child.stdin!.end(body);
    expect((await curl).stdout).toBe('201');
  });

  it('can upload a file of 10 MB in chunks', async () => {
    const { client } = await addPerson(service, fixture.organizationId, 'admin');
    const content = Buffer.alloc(evidenceLimits.itemBytes, 'text ');
    const path = `/dashboard/api/organizations/${fixture.organizationId}/evidence/files?name=a.txt`;
    const answer = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: uploadHeaders(client),
      body: Readable.toWeb(Readable.from(pieces(content, 1_000))) as ReadableStream,
      duplex: 'half',
    } as RequestInit);
    expect(answer.status, await answer.text()).toBe(201);
  });
});

it('accepts at most 16 KiB outside organizations', async () => {
  const { client } = await addPerson(service, fixture.organizationId, 'owner');
  const statuses = async (path: string) => {
    const send = (length: number) => client.request('POST', path, `{}${' '.repeat(length - 2)}`);
    return [(await send(16 * 1024)).status, (await send(16 * 1024 + 1)).status];
  };
  for (const path of ['/sign-in', '/second-factor', '/account/passkeys', '/account/password']) {
    expect(await statuses(path), path).toEqual([400, 413]);
  }
  expect(await statuses(`/organizations/${fixture.organizationId}/keys`)).toEqual([400, 400]);
  const values = async (count: number) => {
    const body = JSON.stringify({ email: Array(count - 3).fill('a'), password: 'x' });
    return (await client.request('POST', '/sign-in', body)).text;
  };
  expect(await values(201)).toContain('must not have more than 200 values');
  expect(await values(200)).not.toContain('must not have more');
});
