import { installedFile } from '../domain/installed-file.ts';
import { runInThread, ThreadEnded } from '../http/run-in-thread.ts';

const program = installedFile('dist/main/file-kind-program.js');

/** 10 MB of JSON took up to 2.1 seconds. The rest is headroom for a busy machine. */
const limits = { ms: 20_000, megabytes: 512 };

/** `mediaTypeOf` in a separate thread. A file that exceeds its limits counts as unsupported. */
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
