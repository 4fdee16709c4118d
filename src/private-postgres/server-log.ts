import { open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from './home.ts';

/** A longer log is renamed to server.log.1 at the next start. */
const LONGEST_LOG_BYTES = 10 * 1024 * 1024;

/** The open log of one start of the server. */
export interface ServerLog {
  readonly descriptor: number;
  /** Lines of the process `pid` since the log was opened, without their prefix. */
  since(pid: number): Promise<string>;
  close(): Promise<void>;
}

/** Opens `<home>/server.log` for appending. The server inherits the descriptor. */
export async function openServerLog(home: Home): Promise<ServerLog> {
  const path = join(home.directory, 'server.log');
  const before = await stat(path).catch(() => null);
  if (before !== null && before.size > LONGEST_LOG_BYTES)
    await rename(path, `${path}.1`).catch(() => undefined);
  const file = await open(path, 'a+', 0o600);
  const start = (await file.stat()).size;
  return {
    descriptor: file.fd,
    async since(pid) {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
      const text = buffer.toString('utf8', 0, bytesRead);
      return linesOf(text, pid);
    },
    close: () => file.close(),
  };
}

/**
 * Other processes may log at the same time: PostgreSQL's lines start with the pid, the dynamic loader's do
 * not.
 */
function linesOf(text: string, pid: number): string {
  const lines = text.split('\n').filter(line => line.includes(`[${pid}]`) || !/\[\d+\]/.test(line));
  return lines
    .map(line => line.replace(/^.*\[\d+\] /, ''))
    .join('\n')
    .trim();
}
