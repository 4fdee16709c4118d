import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { RequestScan, Scan, type ScanWithRuns } from '../../../contract/scans.ts';
import { closed, Uuid } from '../../../contract/values.ts';
import { ClientError } from '../../client-error.ts';
import { requestJson } from '../../request-json.ts';
import { followWithin, timeoutParameter } from '../follow-within.ts';
import { reads, type Tool, type ToolContext, tool } from '../tool.ts';
import { only } from './lists.ts';
import { describeScan, scanData, scanLines, scanOutput } from './scan-result.ts';

const getScan = tool({
  ...reads,
  name: 'get_scan',
  title: 'Get a scan',
  description: 'Get a scan with its runs, and why runs did not succeed.',
  input: closed({ scan_id: Uuid }),
  output: scanOutput,
  longestText: 500,
  run: async ({ scan_id }, { client, parts, signal }) => {
    const path = `/api/v1/scans/${scan_id}`;
    const { scan } = await requestJson<{ scan: ScanWithRuns }>(client, 'GET', path, { signal });
    const data = scanData(scan, parts.describeCause);
    return { data, summary: describeScan(data.scan), lines: scanLines(data) };
  },
});

/** Starting a scan makes the service send requests to other people's servers, but changes nothing there. */
export const starts = {
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
} as const;

const startScan = tool({
  ...starts,
  name: 'start_scan',
  title: 'Start a scan',
  description:
    'Start a safe scan of a system or of one source, specified by either system_id or source_id. Only sources that are authorized for scans are scanned. Returns at once: wait_for_scan waits for the result. A call with the same idempotency_key and target returns the existing scan.',
  scopes: ['scans:write'],
  input: closed({
    system_id: Type.Optional(Uuid),
    source_id: Type.Optional(Uuid),
    idempotency_key: Type.Optional(RequestScan.properties.idempotency_key),
  }),
  output: { scan: Scan, idempotency_key: Type.String() },
  longestText: 300,
  run: async (parameters, context) => {
    if ((parameters.system_id === undefined) === (parameters.source_id === undefined)) {
      throw new ClientError('Invalid parameters: specify either system_id or source_id');
    }
    const request = { ...parameters, idempotency_key: parameters.idempotency_key ?? randomUUID() };
    const scan = await requestScan(request, context);
    const data = { scan: only(Scan, scan), idempotency_key: request.idempotency_key };
    return { data, summary: `${describeScan(scan)} wait_for_scan returns its result.`, lines: [] };
  },
});

export async function requestScan(body: RequestScan, { client, signal }: ToolContext): Promise<Scan> {
  const options = { body, repeatable: true, signal };
  return (await requestJson<{ scan: Scan }>(client, 'POST', '/api/v1/scans', options)).scan;
}

const waitForScan = tool({
  ...reads,
  name: 'wait_for_scan',
  title: 'Wait for a scan',
  description:
    'Wait until a scan finishes, and report progress. If it takes longer than timeout_seconds, the result has finished false, the scan continues, and the call can be repeated. Canceling the call does not cancel the scan.',
  input: closed({ scan_id: Uuid, ...timeoutParameter }),
  output: { finished: Type.Boolean(), ...scanOutput },
  longestText: 500,
  run: async ({ scan_id, timeout_seconds }, context) => {
    const scan = await followWithin(scan_id, timeout_seconds, context);
    const data = { finished: scan.finished_at !== null, ...scanData(scan, context.parts.describeCause) };
    const next = data.finished ? '' : ' It continues: call wait_for_scan again.';
    return { data, summary: describeScan(data.scan) + next, lines: scanLines(data) };
  },
});

export const scanTools: readonly Tool[] = [getScan, startScan, waitForScan];
