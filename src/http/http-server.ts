import { createServer, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerInTurn } from './answer-in-turn.ts';
import { cutLater } from './cut-later.ts';
import { answerMalformed, refuseManyFields } from './malformed-requests.ts';
import { MeteredRequest } from './metered-request.ts';
import type { TransportLimits } from './transport-limits.ts';

/**
 * Says that the connection ends where what may still come of the body is more than is read for nobody, and behind a request for
 * another protocol: Node drops what came with it.
 */
class ClosingResponse extends ServerResponse<MeteredRequest> {
  override writeHead(...given: readonly unknown[]): this {
    const isLast = this.req.isLong || this.req.headers.upgrade !== undefined;
    if (isLast && !this.headersSent) this.setHeader('connection', 'close');
    return super.writeHead(...(given as Parameters<ServerResponse['writeHead']>));
  }
}

/** Header fields of a request. Browsers and proxies send a few dozen. */
const mostHeaderFields = 200;

/**
 * What both servers are: requests of a connection answered one after another, with limits of time, of header fields, and of bodies that
 * nobody reads.
 *
 * @param isSigned whether a target names a signed path
 */
export function createHttpServer(
  answer: RequestListener,
  limits: TransportLimits,
  isSigned: (target: string) => boolean,
): Server {
  const answerBounded = refuseManyFields(answer, mostHeaderFields, isSigned);
  const server = createServer(
    {
      IncomingMessage: MeteredRequest,
      ServerResponse: ClosingResponse,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
      requireHostHeader: false,
    },
    answerInTurn(answerBounded as Parameters<typeof answerInTurn>[0]),
  );
  // Node leaves out what is sent beyond it, the fields of a proxy as well: one more than is answered.
  server.maxHeadersCount = mostHeaderFields + 1;
  const latest = new WeakMap<Socket, MeteredRequest>();
  const sockets = new Set<Socket>();
  const closeIdle = server.closeIdleConnections.bind(server);
  // To Node, a connection that has sent nothing yet is not idle: it would keep a server that closes waiting until its time-out.
  server.closeIdleConnections = () => {
    closeIdle();
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const destroySoon = socket.destroySoon.bind(socket);
    // Called by Node behind an answer that closes the connection.
    socket.destroySoon = () => {
      if (latest.get(socket)?.complete === false) {
        socket.end();
        cutLater(socket);
      } else destroySoon();
    };
  });
  server.on('request', (request: MeteredRequest, response: ServerResponse) => {
    latest.set(request.socket, request);
    // Before Node's own listener, which would drop the rest of the body without an end.
    response.prependOnceListener('finish', () => request.discardRest());
  });
  answerMalformed(server as unknown as Server, isSigned);
  return server as unknown as Server;
}
