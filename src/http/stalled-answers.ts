import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Metrics } from './metrics.ts';
import type { TransportLimits } from './transport-limits.ts';

interface Progress {
  /** Bytes that the kernel has taken. */
  sent: number;
  /** When that last changed, or nothing was waiting. */
  movedAt: number;
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
  const sockets = new Map<Socket, Progress>();
  const answers = new Map<ServerResponse, number>();
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, { sent: 0, movedAt: performance.now() });
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
    answers.set(response, performance.now());
    response.once('close', () => answers.delete(response));
  });
  const check = () => {
    const now = performance.now();
    for (const [socket, progress] of sockets) {
      const waiting = socket.writableLength;
      const sent = socket.bytesWritten - waiting;
      if (waiting === 0 || sent !== progress.sent) Object.assign(progress, { sent, movedAt: now });
      else if (now - progress.movedAt > stallMs) cut(socket);
    }
    for (const [response, startedAt] of answers) {
      if (response.headersSent && now - startedAt > answerMs) cut(response);
    }
  };
  const timer = setInterval(check, checkMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
