import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Has this thread get the CPU after those that answer requests. On Linux alone a thread has a priority of its own. */
export function yieldThread(): void {
  try {
    // proc(5): `PID/task/TID` of the thread that asks.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without it, threads compete as equals.
  }
}
