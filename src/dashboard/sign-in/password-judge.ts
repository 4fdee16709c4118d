import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { installedFile } from '../../domain/installed-file.ts';
import { startThread } from '../../http/run-in-thread.ts';
import { PasswordQueue, type Place } from './password-queue.ts';

export interface PasswordQuestion {
  readonly password: string;
  /** What is estimated of it. The time grows with the square of the length. */
  readonly forms: readonly string[];
  /** Words that a guesser knows. */
  readonly known: readonly string[];
}

export interface Judgement {
  readonly isBreached: boolean;
  /** The least of the forms, 0 to 4, see `leastPasswordScore`. */
  readonly score: number;
}

const program = installedFile('dist/main/password-judge-program.js');
const heapMegabytes = 128;

/** An estimate takes some milliseconds, the first a second, on a busy machine more. */
const longestMs = 30_000;

const idleMs = 60_000;

/** One estimate at a time, of those that wait. */
const queue = new PasswordQueue(1, 32);

let worker: Worker | undefined;
let idle: NodeJS.Timeout | undefined;

/**
 * Judges a password in a thread of its own, which is there when somebody chooses one: an estimate is computed in one piece, and
 * anybody with a link may ask for it. Undefined where it takes too long. Throws `too_busy`.
 */
export function judgePassword(question: PasswordQuestion, place: Place): Promise<Judgement | undefined> {
  return queue.run(place, () => ask(question));
}

async function ask(question: PasswordQuestion): Promise<Judgement | undefined> {
  clearTimeout(idle);
  const asked = worker ?? startThread(program, heapMegabytes);
  worker = undefined;
  asked.ref();
  try {
    asked.postMessage(question);
    const [judgement] = await once(asked, 'message', { signal: AbortSignal.timeout(longestMs) });
    // It waits for the next question for a while, and does not keep the service from ending.
    asked.unref();
    worker = asked;
    idle = setTimeout(end, idleMs).unref();
    return judgement as Judgement;
  } catch (error) {
    await asked.terminate();
    if ((error as Error).name === 'AbortError') return undefined;
    throw error;
  }
}

function end(): void {
  void worker?.terminate();
  worker = undefined;
}
