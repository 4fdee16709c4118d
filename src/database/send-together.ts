import type { Socket } from 'node:net';
import type pg from 'pg';

/** Writes everything sent in this tick at once: for short statements, system calls dominate the cost. */
export function sendTogether(client: pg.PoolClient): void {
  // The driver corks its stream for the messages of one query; its types do not include the stream.
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
