import { setTimeout } from 'node:timers/promises';
import { isUnderWay } from '../../storage/scans.ts';
import type { TenantStore } from '../../storage/tenant-store.ts';

/** How soon a worker notices that somebody has stopped its scan. */
const lookEveryMs = 1_000;

/**
 * Does the work of a scan, unless the scan is stopped meanwhile: then the work is aborted and the result undefined.
 * Rejects as the work does.
 */
export async function untilStopped<T>(
  store: TenantStore,
  scanId: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const stopped = new AbortController();
  const done = new AbortController();
  const watching = watch(store, scanId, stopped, done.signal);
  try {
    return await work(AbortSignal.any([signal, stopped.signal]));
  } catch (error) {
    if (stopped.signal.aborted && !signal.aborted) return undefined;
    throw error;
  } finally {
    done.abort();
    await watching;
  }
}

async function watch(
  store: TenantStore,
  scanId: string,
  stopped: AbortController,
  done: AbortSignal,
): Promise<void> {
  while (!done.aborted) {
    const waited = await setTimeout(lookEveryMs, true, { signal: done, ref: false }).catch(() => false);
    // A database that does not answer for a moment stops no scan.
    if (waited && !(await isUnderWay(store, scanId).catch(() => true))) stopped.abort();
  }
}
