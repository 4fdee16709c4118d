import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './error.ts';

/** What a running server says about itself in `postmaster.pid` of its cluster. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  /** Empty until the server listens. */
  readonly socketDirectory: string;
  /** `starting`, `ready`, `stopping`, or empty while the file is being written. */
  readonly status: string;
  /** The whole file, to tell one server's file from another's. */
  readonly text: string;
}

/** Reads `postmaster.pid`, or null when there is none: no server, or one that ended in order. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | null> {
  try {
    return parsePostmasterFile(await readFile(pathOf(cluster), 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The lines are numbered in PostgreSQL's own pidfile.h: 1 the pid, 4 the port, 5 the socket folder, 8 the status. */
function parsePostmasterFile(text: string): PostmasterFile {
  const lines = text.split('\n');
  return {
    pid: Number.parseInt(lines[0] ?? '', 10) || 0,
    port: Number.parseInt(lines[3] ?? '', 10) || 0,
    socketDirectory: lines[4] ?? '',
    status: (lines[7] ?? '').trim(),
    text,
  };
}

/** Removes a `postmaster.pid` whose server is gone, unless another server has written its own in the meantime. */
export async function removePostmasterFile(cluster: string, stale: PostmasterFile): Promise<void> {
  if ((await readPostmasterFile(cluster))?.text === stale.text) await rm(pathOf(cluster), { force: true });
}

/** Milliseconds since `postmaster.pid` was written, or null when there is none. */
export async function postmasterFileAge(cluster: string): Promise<number | null> {
  const entry = await stat(pathOf(cluster)).catch(() => null);
  return entry === null ? null : Date.now() - entry.mtimeMs;
}

function pathOf(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}
