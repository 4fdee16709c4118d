import type { Socket } from 'node:net';

/** Milliseconds to read the answer before the connection is closed. */
const lingerMs = 2_000;

/** Closing a socket with unread data resets the connection, and the client may lose the answer: wait before that. */
export function cutLater(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
