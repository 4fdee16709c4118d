import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { installedFile } from '../../domain/installed-file.ts';
import { withinTime } from '../../domain/within-time.ts';
import { startThread } from '../../http/run-in-thread.ts';
import { PasswordQueue, type Place } from './password-queue.ts';

export interface PasswordQuestion {
  readonly password: string;
  /** The part that is estimated, since the time is quadratic in the length. */
  readonly forms: readonly string[];
  /** Words that an attacker knows. */
  readonly known: readonly string[];
}

export interface Judgement {
  readonly isBreached: boolean;
  /** The lowest score of the forms, 0 to 4, see `leastPasswordScore`. */
  readonly score: number;
}

const program = installedFile('dist/main/password-judge-program.js');
const heapMegabytes = 128;

/** An estimate takes a few milliseconds. The first one takes a second, or more on a busy machine. */
const longestMs = 30_000;

const idleMs = 60_000;

/** Runs one estimate at a time, from a queue. */
const queue = new PasswordQueue(1, 32);

let worker: Worker | undefined;
let idle: NodeJS.Timeout | undefined;

/**
 * Checks a password in a separate thread, which starts on demand. An estimate blocks its thread, and anyone with a link can
 * request one. Undefined if it takes too long. Throws `too_busy`.
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
    const [judgement] = await withinTime(longestMs, undefined, signal => once(asked, 'message', { signal }));
    // The idle thread stays for a while, but does not keep the process alive.
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
