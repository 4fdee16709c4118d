import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Metrics } from './metrics.ts';
import type { TransportLimits } from './transport-limits.ts';

interface Connection {
  /** Bytes that the kernel has taken. */
  sent: number;
  /** When that last changed, or nothing was waiting. */
  movedAt: number;
  /** Answers that are not closed yet, and when their requests came. Node does not tell all of them when their connection ends. */
  readonly answers: Map<ServerResponse, number>;
}

/**
 * Cuts connections whose client does not read its answer, or takes too long for it: whatever an answer keeps (memory, a
 * permit, a stream) is free again. A request that is still worked on is left alone.
 */
export function cutStalledAnswers(
  server: Server,
  { stallMs, answerMs, checkMs }: TransportLimits,
  metrics?: Metrics,
): void {
  const cut = (what: Socket | ServerResponse) => {
    metrics?.cutConnections.inc();
    what.destroy();
  };
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { sent: 0, movedAt: performance.now(), answers: new Map() });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const answers = connections.get(socket)?.answers;
    answers?.set(response, performance.now());
    response.once('close', () => answers?.delete(response));
  });
  const check = () => {
    const now = performance.now();
    for (const [socket, connection] of connections) {
      const waiting = socket.writableLength;
      const sent = socket.bytesWritten - waiting;
      if (waiting === 0 || sent !== connection.sent) Object.assign(connection, { sent, movedAt: now });
      else if (now - connection.movedAt > stallMs) cut(socket);
      for (const [response, startedAt] of connection.answers) {
        if (response.headersSent && now - startedAt > answerMs) cut(response);
      }
    }
  };
  const timer = setInterval(check, checkMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
