import type { Socket } from 'node:net';

/** Counts of Node's own, which a release may lack. */
interface Handle {
  readonly bytesWritten?: number;
  readonly writeQueueSize?: number;
}

/**
 * Bytes that the kernel has taken. Without Node's own counts, an answer that was written at once does not move until all of it is sent: a
 * client that reads it slowly is cut too early, and none is left alone for ever.
 */
export function sentBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: Handle | null };
  const sent = Number(handle?.bytesWritten) - Number(handle?.writeQueueSize);
  return Number.isFinite(sent) ? sent : socket.bytesWritten - socket.writableLength;
}
