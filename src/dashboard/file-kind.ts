import { runInThread, ThreadEnded } from '../http/run-in-thread.ts';

/** Built by `npm run build`; the same from `src` and from `dist`. */
const program = new URL('../../dist/dashboard/file-kind-program.js', import.meta.url);

/** What 10 MB of usual JSON take a tenth of, in milliseconds and megabytes. */
const limits = { ms: 20_000, megabytes: 512 };

/** `mediaTypeOf` in a thread of its own. A file that takes too much to read is none that is taken. */
export async function mediaTypeInThread(
  name: string,
  bytes: Buffer,
  signal?: AbortSignal,
): Promise<string | undefined> {
  try {
    return await runInThread<string | undefined>(program, { name, bytes }, limits, signal);
  } catch (error) {
    if (error instanceof ThreadEnded) return undefined;
    throw error;
  }
}
