import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../contract/limits.ts';
import type { MeteredRequest } from './metered-request.ts';

/** Maximum pipelined requests of a connection. */
const mostWaiting = 32;

/** Maximum bytes of their bodies together. */
const mostWaitingBytes = limits.bodyBytes;

/** Maximum memory of their heads, except for the first, which ordinary clients may send just before the previous answer has closed. */
const mostWaitingHeadBytes = 16 * 1024;

interface Exchange {
  readonly request: MeteredRequest;
  readonly response: ServerResponse<MeteredRequest>;
}

type Answer = RequestListener<typeof MeteredRequest, typeof ServerResponse<MeteredRequest>>;

/**
 * Answers pipelined requests of a connection one after another (RFC 9112, section 9.3.2). Node would handle thousands of them at once and
 * buffer the answers, and leaks the responses that are pending when the connection closes. Here, pending requests are dropped on close,
 * and their responses emit `close`.
 */
export function answerInTurn(answer: Answer): Answer {
  const lines = new WeakMap<Socket, Line>();
  return (request, response) => {
    const { socket } = request;
    let line = lines.get(socket);
    if (!line) {
      line = new Line(socket, answer);
      lines.set(socket, line);
    }
    line.add({ request, response });
  };
}

/** The requests of one connection. */
class Line {
  readonly #socket: Socket;
  readonly #answer: Answer;
  readonly #waiting: Exchange[] = [];
  #inProgress = false;
  #forgotten = 0;

  constructor(socket: Socket, answer: Answer) {
    this.#socket = socket;
    this.#answer = answer;
    socket.once('close', () => this.#resume());
  }

  add(exchange: Exchange): void {
    this.#waiting.push(exchange);
    if (this.#isTooLong()) this.#socket.destroy();
    // Node may still read requests from a connection that can no longer be written to.
    if (!this.#inProgress || !this.#socket.writable) this.#resume();
  }

  #isTooLong(): boolean {
    let [count, bodies, heads] = [this.#forgotten, 0, 0];
    for (const { request } of this.#waiting) {
      count += 1;
      bodies += request.unreadBytes;
      if (count > 1) heads += request.headBytes;
    }
    return count > mostWaiting || bodies > mostWaitingBytes || heads > mostWaitingHeadBytes;
  }

  #resume(): void {
    if (!this.#socket.writable) {
      this.#forgotten += this.#waiting.length;
      for (const exchange of this.#waiting.splice(0)) forget(exchange);
      return;
    }
    const next = this.#waiting.shift();
    this.#inProgress = next !== undefined;
    if (!next) return;
    next.response.once('close', () => this.#resume());
    this.#answer(next.request, next.response);
  }
}

function forget({ request, response }: Exchange): void {
  request.discardRest();
  // Drops a complete body.
  request.resume();
  // Node does not emit `close` here. Deferred, since listeners are added after this returns.
  process.nextTick(() => response.emit('close'));
}
