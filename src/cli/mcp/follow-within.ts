import { Type } from 'typebox';
import type { ScanWithRuns } from '../../contract/scans.ts';
import { followScan, ScanTimeout } from '../follow-scan.ts';
import { endedRuns } from '../progress.ts';
import type { ToolContext } from './tool.ts';

/** Many assistants give up on a call after 60 seconds without progress. */
const defaultSeconds = 50;

export const timeoutParameter = {
  timeout_seconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 600,
      default: defaultSeconds,
      description: `Maximum wait. Default: ${defaultSeconds}.`,
    }),
  ),
};

/** Follows a scan, and returns it as it is when the time is up. */
export async function followWithin(
  scanId: string,
  seconds: number | undefined,
  { client, signal, report }: ToolContext,
): Promise<ScanWithRuns> {
  let latest: ScanWithRuns | undefined;
  const update = (scan: ScanWithRuns) => {
    latest = scan;
    report(`Scan is ${scan.status}, ${endedRuns(scan)} of ${scan.runs.length} runs finished`);
  };
  const timeoutMs = (seconds ?? defaultSeconds) * 1000;
  try {
    return await followScan(client, scanId, { progress: { update, stop: () => {} }, timeoutMs, signal });
  } catch (error) {
    if (error instanceof ScanTimeout && latest) return latest;
    throw error;
  }
}
