import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Lowers the CPU priority of this thread below those that answer requests. Only Linux has priorities for threads. */
export function yieldThread(): void {
  try {
    // proc(5): `PID/task/TID` of the current thread.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not supported: threads keep the same priority.
  }
}
