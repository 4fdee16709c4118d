import { randomUUID } from 'node:crypto';
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../contract/errors.ts';
import { errorAnswer } from './answers.ts';
import { cutLater } from './cut-later.ts';

interface ParserError extends Error {
  readonly code?: string;
  /** The packet that the parser rejected. */
  readonly rawPacket?: Buffer;
}

/** Reports each request that is refused here. */
export type OnMalformed = (refused: {
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly socket: Socket;
}) => void;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Answers requests that Node would answer itself without a body: invalid HTTP, heads that are too long or too slow, CONNECT, and unknown
 * expectations. If the target is readable and names a signed path, the answer is 401, as for any other request without a signature.
 */
export function answerMalformed(
  server: Server,
  isSigned: (target: string) => boolean,
  onMalformed: OnMalformed,
): void {
  const latest = new WeakMap<Socket, Exchange>();
  const refused = new WeakSet<Socket>();
  // For CONNECT, Node removes its own error listener, and an error without a listener ends the process.
  server.on('connection', (socket: Socket) => socket.on('error', () => {}));
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const exchange = { request, response };
    latest.set(request.socket, exchange);
    request.once('refused', (error: Error) => breakOff(exchange, request.socket, error));
  });
  // Expectations other than 100-continue may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  /** Writes after the pending answer, which must come first. */
  const writeInTurn = (socket: Socket, code: ErrorCode) => {
    const response = latest.get(socket)?.response;
    if (!response || response.closed) write(socket, code, onMalformed);
    else response.once('close', () => write(socket, code, onMalformed));
  };
  server.on('connect', (request: IncomingMessage, socket: Socket) =>
    writeInTurn(socket, isSigned(request.url ?? '') ? 'unauthorized' : 'not_found'),
  );
  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) {
      socket.destroy();
      return;
    }
    if (refused.has(socket)) return;
    refused.add(socket);
    const exchange = latest.get(socket);
    if (exchange && !exchange.request.complete) breakOff(exchange, socket, error);
    else writeInTurn(socket, codeOf(error, isSigned));
  });
}

/**
 * Refuses requests with too many header fields. Node would drop the excess silently, which may include fields of a proxy, the length of
 * the body, or the second of two conflicting fields.
 */
export function refuseManyFields(
  answer: RequestListener,
  most: number,
  isSigned: (target: string) => boolean,
  onMalformed: OnMalformed,
): RequestListener {
  return (request, response) => {
    // rawHeaders alternates names and values.
    if (request.rawHeaders.length <= 2 * most) {
      answer(request, response);
      return;
    }
    const code = isSigned(request.url ?? '') ? 'unauthorized' : 'headers_too_large';
    const { status, fields, text } = refusal(code, request.socket, onMalformed);
    response.shouldKeepAlive = false;
    response.writeHead(status, fields).end(text);
  };
}

/** Passes an error of the body to its reader, which knows the route and answers, even if it starts reading later. */
function breakOff({ request, response }: Exchange, socket: Socket, error: Error): void {
  if (response.closed) {
    cutLater(socket);
    return;
  }
  response.once('close', () => cutLater(socket));
  if (request.listenerCount('error') > 0) {
    request.emit('error', error);
    return;
  }
  request.on('newListener', event => {
    // The listener may be removed by then, and an error without a listener ends the process.
    const emit = () => request.listenerCount('error') > 0 && request.emit('error', error);
    if (event === 'error') process.nextTick(emit);
  });
}

function codeOf({ code, rawPacket }: ParserError, isSigned: (target: string) => boolean): ErrorCode {
  const target = /^[^\s]+ +([^\s]+)/.exec(rawPacket?.toString('latin1') ?? '')?.[1];
  if (target !== undefined && isSigned(target)) return 'unauthorized';
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'invalid_body';
}

function write(socket: Socket, code: ErrorCode, onMalformed: OnMalformed): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, fields, text } = refusal(code, socket, onMalformed);
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  // The same headers as Node writes for an answer that closes the connection.
  lines.unshift(`HTTP/1.1 ${status} ${STATUS_CODES[status]}`);
  lines.push(`Date: ${new Date().toUTCString()}`, 'Connection: close');
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
  cutLater(socket);
}

function refusal(code: ErrorCode, socket: Socket, onMalformed: OnMalformed) {
  const requestId = randomUUID();
  onMalformed({ code, requestId, socket });
  const { status, body } = errorAnswer(code);
  const text = JSON.stringify(body);
  const fields = {
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  };
  return { status, fields, text };
}
