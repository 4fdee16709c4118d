import { createServer, type RequestListener, type Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { answerInTurn } from './answer-in-turn.ts';
import { cutLater } from './cut-later.ts';
import { answerMalformed, type OnMalformed, refuseManyFields } from './malformed-requests.ts';
import { MeteredRequest } from './metered-request.ts';
import type { TransportLimits } from './transport-limits.ts';

/** Servers that accept no more connections. */
const draining = new WeakSet<NetServer>();

/**
 * Sends `Connection: close` if the server is draining, if the unread rest of the body may exceed what is discarded, and for upgrade requests, since Node drops
 * data that follows them.
 */
class ClosingResponse extends ServerResponse<MeteredRequest> {
  override writeHead(...given: readonly unknown[]): this {
    const { server } = this.req.socket as Socket & { readonly server?: NetServer };
    const isLast =
      this.req.isLong ||
      this.req.headers.upgrade !== undefined ||
      (server !== undefined && draining.has(server));
    if (isLast && !this.headersSent) this.setHeader('connection', 'close');
    return super.writeHead(...(given as Parameters<ServerResponse['writeHead']>));
  }
}

/**
 * Stops accepting connections, and resolves when all have ended: each with its next answer, or after the usual time without a request.
 * A client never loses a request that it sends meanwhile, as it could if idle connections were closed at once.
 */
export function drain(server: Server): Promise<void> {
  draining.add(server);
  // The method of the HTTP server would close idle connections.
  return new Promise(resolve => NetServer.prototype.close.call(server, () => resolve()));
}

/** Maximum header fields of a request. Browsers and proxies send a few dozen. */
const mostHeaderFields = 200;

/**
 * Creates an HTTP server with sequential answers and limits on time, header fields and unread bodies. Shared by the public and the
 * management server.
 *
 * @param isSigned whether a target names a signed path
 */
export function createHttpServer(
  answer: RequestListener,
  limits: TransportLimits,
  isSigned: (target: string) => boolean,
  onMalformed: OnMalformed = () => {},
): Server {
  const answerBounded = refuseManyFields(answer, mostHeaderFields, isSigned, onMalformed);
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
  // Node drops fields beyond this limit: one more than allowed, to detect an excess.
  server.maxHeadersCount = mostHeaderFields + 1;
  const latest = new WeakMap<Socket, MeteredRequest>();
  const sockets = new Set<Socket>();
  const closeIdle = server.closeIdleConnections.bind(server);
  // Node does not treat a connection without any data as idle, and would wait for its timeout on close.
  server.closeIdleConnections = () => {
    closeIdle();
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const destroySoon = socket.destroySoon.bind(socket);
    // Node calls it after an answer that closes the connection.
    socket.destroySoon = () => {
      if (latest.get(socket)?.complete === false) {
        socket.end();
        cutLater(socket);
      } else destroySoon();
    };
  });
  server.on('request', (request: MeteredRequest, response: ServerResponse) => {
    latest.set(request.socket, request);
    // Before the listener of Node, which would discard the rest of the body without a limit.
    response.prependOnceListener('finish', () => request.discardRest());
  });
  answerMalformed(server as unknown as Server, isSigned, onMalformed);
  return server as unknown as Server;
}
