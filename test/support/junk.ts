import { randomBytes, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { formatToken } from '../../src/domain/bearer-token.ts';

/** One way to waste a server's time without an account. */
interface Kind {
  readonly name: string;
  /** Connections of this kind, of 20. */
  readonly share: number;
  /** Sent each time the connection is selected. */
  bytes(): Buffer;
  /** Does not read the answer. */
  readonly unread?: boolean;
}

const garbage = randomBytes(256 * 1024);

/** Well-formed, with a valid token checksum, but an unknown key. */
function signedHead(line: string, more = ''): string {
  return [
    `${line} HTTP/1.1`,
    'Host: junk',
    `Authorization: Bearer ${formatToken('dashboard', randomBytes(32))}`,
    'Content-Type: application/json',
    `x-service-timestamp: ${Math.floor(Date.now() / 1000)}`,
    `x-service-nonce: ${randomBytes(16).toString('base64url')}`,
    `x-service-token-id: ${randomUUID()}`,
    `x-service-signature: ${randomBytes(64).toString('hex')}`,
    `${more}\r\n`,
  ].join('\r\n');
}

const get = (target: string, more = '') => Buffer.from(`GET ${target} HTTP/1.1\r\nHost: junk\r\n${more}\r\n`);

const kinds: readonly Kind[] = [
  {
    name: 'unknown keys',
    share: 6,
    bytes: () => Buffer.from(signedHead('GET /api/v1/findings', 'X: y\r\n')),
  },
  {
    name: 'bodies of 256 KiB',
    share: 3,
    bytes: () =>
      Buffer.concat([
        Buffer.from(signedHead('POST /functions/v1/events-ingest', `Content-Length: ${garbage.length}\r\n`)),
        garbage,
      ]),
  },
  {
    name: 'unknown sessions',
    share: 4,
    bytes: () =>
      get('/dashboard/api/session', `Cookie: parapet_session=${randomBytes(32).toString('base64url')}\r\n`),
  },
  { name: 'paths in other spellings', share: 3, bytes: () => get(`/%61pi/v1/../v1//${randomUUID()}`) },
  { name: 'heads that never end', share: 2, bytes: () => Buffer.from('a') },
  { name: 'answers left unread', share: 2, bytes: () => get('/docs/checks'), unread: true },
];

const plan = kinds.flatMap(kind => Array.from({ length: kind.share }, () => kind));

/** Junk from many connections at a steady rate. Connections that the server closes are opened again. */
export class Junk {
  sent = 0;
  answered = 0;
  readonly #port: number;
  readonly #sockets: (Socket | undefined)[];
  readonly #timer: NodeJS.Timeout;
  #due = 0;
  #next = 0;

  /** @param perSecond requests, or bytes of endless headers, of all connections together */
  constructor(url: string, { connections, perSecond }: { connections: number; perSecond: number }) {
    this.#port = Number(new URL(url).port);
    this.#sockets = Array.from({ length: connections }, () => undefined);
    const tick = 10;
    this.#timer = setInterval(() => {
      this.#due = Math.min(this.#due + (perSecond * tick) / 1000, perSecond / 10);
      for (; this.#due >= 1; this.#due -= 1) this.#send(this.#next++ % connections);
    }, tick);
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const socket of this.#sockets) socket?.destroy();
  }

  #send(index: number): void {
    const kind = plan[index % plan.length]!;
    const socket = this.#sockets[index] ?? this.#open(index, kind);
    // A client that sends more than the server reads only fills its own memory.
    if (socket.writableLength > garbage.length) return;
    socket.write(kind.bytes());
    this.sent += 1;
  }

  #open(index: number, kind: Kind): Socket {
    const socket = connect(this.#port, '127.0.0.1');
    this.#sockets[index] = socket;
    if (kind.unread) socket.pause();
    else
      socket.on('data', () => {
        this.answered += 1;
      });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#sockets[index] === socket) this.#sockets[index] = undefined;
    });
    return socket;
  }
}
