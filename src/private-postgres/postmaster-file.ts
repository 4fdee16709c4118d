import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ignore } from './error.ts';

/** The contents of `postmaster.pid`, which a running server writes into its cluster. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  /** Empty until the server listens. */
  readonly socketDirectory: string;
  /** `starting`, `ready`, `stopping`, or empty while the file is being written. */
  readonly status: string;
  /** The whole file, to distinguish the files of different servers. */
  readonly text: string;
}

/** Reads `postmaster.pid`; null if there is none, because no server runs or it stopped cleanly. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | null> {
  const text = await readFile(pathOf(cluster), 'utf8').catch(ignore('ENOENT'));
  return text === undefined ? null : parsePostmasterFile(text);
}

/** Line numbers as in PostgreSQL's pidfile.h: 1 is the pid, 4 the port, 5 the socket folder, 8 the status. */
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

/** Removes the `postmaster.pid` of a dead server, unless another server has written its own since. */
export async function removePostmasterFile(cluster: string, stale: PostmasterFile): Promise<void> {
  if ((await readPostmasterFile(cluster))?.text === stale.text) await rm(pathOf(cluster), { force: true });
}

/** Milliseconds since `postmaster.pid` was written; null if there is none. */
export async function postmasterFileAge(cluster: string): Promise<number | null> {
  const entry = await stat(pathOf(cluster)).catch(() => null);
  return entry === null ? null : Date.now() - entry.mtimeMs;
}

function pathOf(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}
