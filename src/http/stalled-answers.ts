import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networksOf } from '../domain/client-network.ts';
import { type Kept, keptTooLong } from './kept-too-long.ts';
import { MeteredRequest } from './metered-request.ts';
import type { Metrics } from './metrics.ts';
import { sentBytes } from './sent-bytes.ts';
import { waitsForTurn } from './share-turns.ts';
import type { TransportLimits } from './transport-limits.ts';

/** Bytes that the kernel had taken at a time. */
interface Mark {
  readonly sent: number;
  readonly at: number;
}

interface Connection {
  /** Network of the peer, not of a forwarded address, which is not yet verified for queued requests. */
  readonly site: string;
  /** Bytes that the kernel took. */
  sent: number;
  /** Time of the last progress, or when nothing was pending. */
  movedAt: number;
  /** Milliseconds behind the minimum rate; negative if ahead. */
  behind: number;
  /** Progress of the pending bytes is measured from `first`, and from `second` once that is `recentMs` old. */
  waiting: { readonly first: Mark; readonly second: Mark } | null;
  /** Open answers with the time of their request. Node does not emit `close` for all of them when the connection closes. */
  readonly answers: Map<ServerResponse, number>;
}

/**
 * Progress counts for one to two times this. Without an end, a client that reads nothing would seem faster than a new one as long as
 * the megabytes count that the kernel took at once.
 */
const recentMs = 2_000;

interface KeptOf extends Kept {
  readonly socket: Socket;
}

/**
 * Closes connections whose client reads its answer too slowly, to release memory, permits and streams. Requests that are still being
 * processed are not affected. If unread answers or unfinished requests exceed their limits together, connections of the site with the
 * most bytes are closed (see `keptTooLong`).
 */
export function cutStalledAnswers(
  server: Server,
  { stallMs, leastRate, answerMs, unreadBytes, unfinishedBytes, checkMs }: TransportLimits,
  metrics?: Metrics,
): void {
  const cut = (what: Socket | ServerResponse) => {
    if (what.destroyed) return;
    metrics?.cutConnections.inc();
    what.destroy();
  };
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    const answers = new Map<ServerResponse, number>();
    const { site } = networksOf(socket.remoteAddress ?? '');
    connections.set(socket, { site, sent: 0, movedAt: performance.now(), behind: 0, waiting: null, answers });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const answers = connections.get(socket)?.answers;
    answers?.set(response, performance.now());
    response.once('close', () => answers?.delete(response));
  });
  let checkedAt = performance.now();
  const check = () => {
    const now = performance.now();
    const passed = now - checkedAt;
    checkedAt = now;
    const unread: KeptOf[] = [];
    const unfinished: KeptOf[] = [];
    for (const [socket, connection] of connections) {
      const { site } = connection;
      const sent = sentBytes(socket);
      if (socket.writableLength === 0) {
        Object.assign(connection, { sent, movedAt: now, behind: 0, waiting: null });
      } else {
        const mark = { sent, at: now };
        connection.waiting ??= { first: mark, second: mark };
        const { second } = connection.waiting;
        if (now - second.at >= recentMs) connection.waiting = { first: second, second: mark };
        const moved = sent - connection.sent;
        // The kernel buffers data that the client reads later: credit it, with a limit.
        connection.behind = Math.max(-stallMs, connection.behind + passed - (moved / leastRate) * 1000);
        if (moved > 0) Object.assign(connection, { sent, movedAt: now });
        if (now - connection.movedAt > stallMs || connection.behind > stallMs) cut(socket);
        else {
          const { first } = connection.waiting;
          // The memory of an answer is freed once all of it is sent. writableLength counts characters of a string.
          const bytes = Math.max(socket.writableLength, socket.bytesWritten - sent);
          unread.push({ socket, site, bytes, age: now - first.at, moved: sent - first.sent });
        }
      }
      for (const [response, startedAt] of connection.answers) {
        if (response.headersSent && now - startedAt > answerMs) cut(response);
        const bytes = keptBytes(response.req);
        if (bytes > 0) {
          const moved = (response.req as MeteredRequest).receivedBytes;
          unfinished.push({ socket, site, bytes, age: now - startedAt, moved });
        }
      }
    }
    for (const { socket } of keptTooLong(unread, unreadBytes)) cut(socket);
    for (const { socket } of keptTooLong(unfinished, unfinishedBytes)) cut(socket);
  };
  const timer = setInterval(check, checkMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** Approximate memory of a request and its response without head and body. */
const bytesOfExchange = 4096;

/** Memory of a request until it is answered. */
function keptBytes(request: IncomingMessage): number {
  if (!(request instanceof MeteredRequest)) return 0;
  return bytesOfExchange + request.headBytes + bodyBytes(request);
}

function bodyBytes(request: MeteredRequest): number {
  return request.complete && !waitsForTurn(request) ? request.unreadBytes : request.unfinishedBytes;
}
