import { setTimeout as pause } from 'node:timers/promises';
import type { ScanWithRuns } from '../contract/scans.ts';
import type { Client } from './client.ts';
import { ClientError } from './client-error.ts';
import type { Progress } from './progress.ts';
import { RefusedError, requestJson } from './request-json.ts';

export interface FollowOptions {
  readonly progress: Progress;
  readonly timeoutMs: number;
  /** The first pause between two looks; each one is a fifth longer, up to ten times the first. */
  readonly firstPauseMs?: number;
  /** The pause after a 401 in the middle, which is what a used-up limit looks like. */
  readonly limitPauseMs?: number;
  readonly signal?: AbortSignal;
}

/** The scan has not ended in the time given. It goes on in the service. */
export class ScanTimeout extends ClientError {}

/** Together more than the minute after which a used-up limit admits again. */
const limitPauses = 5;
const limitPauseDefaultMs = 15_000;

/**
 * Asks for the scan until it has ended.
 *
 * @throws ScanTimeout
 */
export async function followScan(
  client: Client,
  scanId: string,
  options: FollowOptions,
): Promise<ScanWithRuns> {
  const { progress, signal, firstPauseMs = 1_000, limitPauseMs = limitPauseDefaultMs } = options;
  const deadline = Date.now() + options.timeoutMs;
  const wait = (ms: number) => pause(ms, undefined, signal ? { signal } : {});
  let pauseMs = firstPauseMs;
  let refusals = 0;
  try {
    for (;;) {
      try {
        const { scan } = await requestJson<{ scan: ScanWithRuns }>(client, 'GET', `/api/v1/scans/${scanId}`, {
          signal,
        });
        refusals = 0;
        progress.update(scan);
        if (scan.finished_at !== null) return scan;
      } catch (error) {
        // The key was good a moment ago. Others may use it too, and have used up its requests for this minute.
        const isLimit = error instanceof RefusedError && error.status === 401 && refusals++ < limitPauses;
        if (!isLimit) throw error;
        await wait(limitPauseMs);
      }
      if (Date.now() + pauseMs > deadline) {
        throw new ScanTimeout(`scan ${scanId} has not ended in ${options.timeoutMs / 1000} s; it goes on`);
      }
      await wait(pauseMs);
      pauseMs = Math.min(pauseMs * 1.2, firstPauseMs * 10);
    }
  } finally {
    progress.stop();
  }
}
