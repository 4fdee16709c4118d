import { setTimeout as pause } from 'node:timers/promises';
import type { ScanWithRuns } from '../contract/scans.ts';
import type { Client } from './client.ts';
import { ClientError } from './client-error.ts';
import type { Progress } from './progress.ts';
import { RefusedError, requestJson } from './request-json.ts';

export interface FollowOptions {
  readonly progress: Progress;
  readonly timeoutMs: number;
  /** Delay before the second poll. Each further delay is a fifth longer, up to ten times the first. */
  readonly firstPauseMs?: number;
  /** Delay after a 401, which may mean that the request limit is reached. */
  readonly limitPauseMs?: number;
  readonly signal?: AbortSignal;
}

/** The scan did not finish in time. It continues on the service. */
export class ScanTimeout extends ClientError {}

/** Together longer than the minute of the request limit. */
const limitPauses = 5;
const limitPauseDefaultMs = 15_000;

/**
 * Polls until the scan has finished.
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
        // The key was valid before. The request limit may be reached, for example because others use the key too.
        const isLimit = error instanceof RefusedError && error.status === 401 && refusals++ < limitPauses;
        if (!isLimit || Date.now() + limitPauseMs > deadline) throw error;
        await wait(limitPauseMs);
      }
      if (Date.now() + pauseMs > deadline) {
        throw new ScanTimeout(
          `scan ${scanId} did not finish within ${options.timeoutMs / 1000} s. It continues on the service`,
        );
      }
      await wait(pauseMs);
      pauseMs = Math.min(pauseMs * 1.2, firstPauseMs * 10);
    }
  } finally {
    progress.stop();
  }
}
