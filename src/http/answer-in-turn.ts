import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../contract/limits.ts';
import type { MeteredRequest } from './metered-request.ts';

/** Requests of one connection that may be without an answer, besides the one under way. Who sends more is no client of ours. */
const mostWaiting = 32;

/** Bytes of their bodies: as many as one request may have. */
const mostWaitingBytes = limits.bodyBytes;

/**
 * Bytes that the heads of those behind the first take in memory. The first may just have come before the end of the answer before it
 * was noticed.
 */
const mostWaitingHeadBytes = 16 * 1024;

interface Exchange {
  readonly request: MeteredRequest;
  readonly response: ServerResponse<MeteredRequest>;
}

type Answer = RequestListener<typeof MeteredRequest, typeof ServerResponse<MeteredRequest>>;

/**
 * Has the requests of a connection answered one after another (RFC 9112, section 9.3.2). Node hands them out as it reads them,
 * thousands from one write, keeps their answers in memory until their turn, and does not tell those that are left when the
 * connection ends: their files would stay open for ever. Requests that will have no answer are forgotten at once, with their
 * bodies, and their responses emit `close`.
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

/** The requests of one connection, from the first one until the connection is closed. */
class Line {
  readonly #socket: Socket;
  readonly #answer: Answer;
  readonly #waiting: Exchange[] = [];
  #underWay = false;
  #forgotten = 0;

  constructor(socket: Socket, answer: Answer) {
    this.#socket = socket;
    this.#answer = answer;
    socket.once('close', () => this.#goOn());
  }

  add(exchange: Exchange): void {
    this.#waiting.push(exchange);
    if (this.#isTooLong()) this.#socket.destroy();
    // A connection that takes no more answers may still be read from for a while.
    if (!this.#underWay || !this.#socket.writable) this.#goOn();
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

  #goOn(): void {
    if (!this.#socket.writable) {
      this.#forgotten += this.#waiting.length;
      for (const exchange of this.#waiting.splice(0)) forget(exchange);
      return;
    }
    const next = this.#waiting.shift();
    this.#underWay = next !== undefined;
    if (!next) return;
    next.response.once('close', () => this.#goOn());
    this.#answer(next.request, next.response);
  }
}

function forget({ request, response }: Exchange): void {
  request.discardRest();
  // Drops the body where all of it is there.
  request.resume();
  // Node emits no event for it. Listeners are added after this returns.
  process.nextTick(() => response.emit('close'));
}
