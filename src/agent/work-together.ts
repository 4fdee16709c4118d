import { SpoolUnusable } from './private-files.ts';

type Work = (signal: AbortSignal) => Promise<void>;

/**
 * Does all parts of an agent's work until the signal. If one fails, the others are aborted, and its error is thrown when they have ended.
 *
 * @param folder of the spool
 * @throws SpoolUnusable for an error of the system, such as a folder that was removed; other errors as they are
 */
export async function workTogether(
  folder: string,
  signal: AbortSignal,
  works: readonly Work[],
): Promise<void> {
  const failed = new AbortController();
  const end = AbortSignal.any([signal, failed.signal]);
  await Promise.all(works.map(work => work(end).catch(error => failed.abort(error))));
  if (!failed.signal.aborted) return;
  const error = failed.signal.reason as NodeJS.ErrnoException;
  throw error.syscall === undefined
    ? error
    : new SpoolUnusable(`the spool folder ${folder} can no longer be used: ${error.message}`);
}
