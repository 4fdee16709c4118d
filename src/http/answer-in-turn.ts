import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may wait for the answer before them. Who sends more is no client of ours. */
const mostWaiting = 32;

interface Waiting {
  readonly response: ServerResponse;
  begin(): void;
}

/**
 * Has the requests of a connection answered one after another (RFC 9112, section 9.3.2). Node hands them out as it reads them,
 * thousands from one write, keeps their answers in memory until their turn, and does not tell those that are left when the
 * connection ends: their files would stay open for ever.
 */
export function answerInTurn(answer: RequestListener): RequestListener {
  /** Who waits, of connections on which an answer is under way. */
  const lines = new WeakMap<Socket, Waiting[]>();
  return (request, response) => {
    const { socket } = request;
    const begin = () => {
      response.once('close', () => next(socket));
      answer(request, response);
    };
    const line = lines.get(socket);
    if (!line) {
      lines.set(socket, []);
      begin();
    } else if (line.length < mostWaiting) line.push({ response, begin });
    else socket.destroy();
  };

  function next(socket: Socket): void {
    const line = lines.get(socket)!;
    if (socket.writable) {
      const first = line.shift();
      if (first) first.begin();
      else lines.delete(socket);
      return;
    }
    // Nobody else tells whoever keeps something for these.
    for (const { response } of line.splice(0)) response.emit('close');
  }
}
