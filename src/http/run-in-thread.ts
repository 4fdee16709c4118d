import { Worker } from 'node:worker_threads';

export interface ThreadLimits {
  /** Maximum time in milliseconds. */
  readonly ms: number;
  /** Maximum heap in megabytes. */
  readonly megabytes: number;
}

/** Starts a thread without environment and with a heap limit in megabytes. `input` is copied to its `workerData`. */
export function startThread(program: URL, megabytes: number, input?: unknown): Worker {
  return new Worker(program, {
    workerData: input,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  });
}

/** The thread was terminated because it exceeded a limit. */
export class ThreadEnded extends Error {
  override name = 'ThreadEnded';
}

/**
 * Runs long work in a separate thread. The program reads its input from `workerData` and posts its result as one message; both are
 * copied. The thread has no environment, and is terminated after the result.
 *
 * @param program a built program, even if the caller is not built
 * @throws ThreadEnded at a limit, the reason of the signal when aborted, or the error of the program
 */
export async function runInThread<Result>(
  program: URL,
  input: unknown,
  { ms, megabytes }: ThreadLimits,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted();
  const worker = startThread(program, megabytes, input);
  let timer: NodeJS.Timeout | undefined;
  let abort: (() => void) | undefined;
  try {
    return await new Promise<Result>((resolve, reject) => {
      worker
        .once('message', resolve)
        .once('error', error => reject(isOutOfMemory(error) ? new ThreadEnded('out of memory') : error))
        .once('exit', () => reject(new Error('the thread ended without a result')));
      timer = setTimeout(() => reject(new ThreadEnded(`not finished within ${ms} ms`)), ms);
      abort = () => reject(signal!.reason);
      signal?.addEventListener('abort', abort);
    });
  } finally {
    clearTimeout(timer);
    if (abort) signal?.removeEventListener('abort', abort);
    await worker.terminate();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
