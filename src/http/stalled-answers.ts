import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networksOf } from '../domain/client-network.ts';
import { type Kept, keptTooLong } from './kept-too-long.ts';
import { MeteredRequest } from './metered-request.ts';
import type { Metrics } from './metrics.ts';
import { sentBytes } from './sent-bytes.ts';
import { waitsForTurn } from './share-turns.ts';
import type { TransportLimits } from './transport-limits.ts';

interface Connection {
  /** Not what a client says of itself: requests that wait behind others have not been asked yet whether a proxy says it. */
  readonly site: string;
  /** Bytes that the kernel has taken. */
  sent: number;
  /** When that last changed, or nothing was waiting. */
  movedAt: number;
  /** Milliseconds by which the client is behind the least rate; negative where it is ahead. */
  behind: number;
  /** What was sent before the bytes that wait now, and since when any do. */
  waiting: { readonly sentBefore: number; readonly since: number } | null;
  /** Answers that are not closed yet, and when their requests came. Node does not tell all of them when their connection ends. */
  readonly answers: Map<ServerResponse, number>;
}

interface KeptOf extends Kept {
  readonly socket: Socket;
}

/**
 * Cuts connections whose client does not read its answer, or takes too long for it: whatever an answer keeps (memory, a
 * permit, a stream) is free again. A request that is still worked on is left alone. Where clients together leave too many bytes of
 * answers unread, or of requests that are not answered, those of the site with the most are cut: see `keptTooLong`.
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
        connection.waiting ??= { sentBefore: sent, since: now };
        const moved = sent - connection.sent;
        // What the kernel takes at once is read over some time: it counts, but not for ever.
        connection.behind = Math.max(-stallMs, connection.behind + passed - (moved / leastRate) * 1000);
        if (moved > 0) Object.assign(connection, { sent, movedAt: now });
        if (now - connection.movedAt > stallMs || connection.behind > stallMs) cut(socket);
        else {
          const { sentBefore, since } = connection.waiting;
          // An answer is freed once all of it is sent. The first counts characters of a text, the second bytes of its rest.
          const bytes = Math.max(socket.writableLength, socket.bytesWritten - sent);
          unread.push({ socket, site, bytes, age: now - since, moved: sent - sentBefore });
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

/** Bytes of memory of a request and its response besides, about. */
const bytesOfExchange = 4096;

/** Of what a node keeps of a request until it is answered. */
function keptBytes(request: IncomingMessage): number {
  if (!(request instanceof MeteredRequest)) return 0;
  return bytesOfExchange + request.headBytes + bodyBytes(request);
}

function bodyBytes(request: MeteredRequest): number {
  return request.complete && !waitsForTurn(request) ? request.unreadBytes : request.unfinishedBytes;
}
