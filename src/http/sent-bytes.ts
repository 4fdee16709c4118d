import type { Socket } from 'node:net';

/** Internal counters, which a Node release may lack. */
interface Handle {
  readonly bytesWritten?: number;
  readonly writeQueueSize?: number;
}

/**
 * Bytes that the kernel took. The fallback does not advance before a whole write is sent: then a slow client may be cut too early, but a
 * stalled one is still cut.
 */
export function sentBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: Handle | null };
  const sent = Number(handle?.bytesWritten) - Number(handle?.writeQueueSize);
  return Number.isFinite(sent) ? sent : socket.bytesWritten - socket.writableLength;
}
