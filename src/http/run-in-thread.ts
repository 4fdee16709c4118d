import { Worker } from 'node:worker_threads';

export interface ThreadLimits {
  /** Milliseconds until the thread is ended. */
  readonly ms: number;
  /** Megabytes of its heap. */
  readonly megabytes: number;
}

/** Starts a thread that has no environment, with a limit to its heap in megabytes. `input` is copied, and is its `workerData`. */
export function startThread(program: URL, megabytes: number, input?: unknown): Worker {
  return new Worker(program, {
    workerData: input,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  });
}

/** A thread was ended at a limit: what it was given is too much for it. */
export class ThreadEnded extends Error {
  override name = 'ThreadEnded';
}

/**
 * Runs a program in a thread of its own, so that what takes long keeps nobody else waiting. The program reads its input from
 * `workerData`, and posts one message: the result. Both are copied. The thread has no environment, and ends with the result.
 *
 * @param program built, also where the caller is not
 * @throws ThreadEnded at a limit; the signal's reason when aborted; what the program throws
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
      timer = setTimeout(() => reject(new ThreadEnded(`not done in ${ms} ms`)), ms);
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
