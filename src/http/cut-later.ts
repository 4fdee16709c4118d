import type { Socket } from 'node:net';

/** Milliseconds in which an answer may still be read before the connection is cut. */
const lingerMs = 2_000;

/** Not at once: cut while something unread has arrived, the connection takes the answer along. */
export function cutLater(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
