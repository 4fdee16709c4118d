import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Finding } from '../../../contract/findings.ts';
import type { ScanWithRuns } from '../../../contract/scans.ts';
import type { Source } from '../../../contract/sources.ts';
import { closed, Uuid } from '../../../contract/values.ts';
import type { Client } from '../../client.ts';
import { pages } from '../../read-lists.ts';
import { followWithin, timeoutParameter } from '../follow-within.ts';
import { tool } from '../tool.ts';
import { readFinding } from './get-finding.ts';
import { describeFinding, only } from './lists.ts';
import { describeScan, scanData, scanLines, scanOutput } from './scan-result.ts';
import { requestScan, starts } from './scans.ts';

const outcomes = {
  resolved: 'The finding is resolved: the scan assessed it and did not find it again.',
  still_found: 'The finding was found again: it is not fixed.',
  not_assessed:
    'Not assessed: the scan did not reach a decision on this finding, so its status did not change. The causes of the runs say why.',
  unfinished: 'The scan continues. Call wait_for_scan, then get_finding.',
};
type Outcome = keyof typeof outcomes;

/** Sources of a system that are compared with the finding, each with a request. */
const mostSources = 10;

export const verifyFinding = tool({
  ...starts,
  name: 'verify_finding',
  title: 'Verify a finding',
  description:
    'Scan the source of a finding again, wait, and say whether it is resolved. Keys can only start scans of all checks of a source, so this takes as long as a scan. If the source is not known, its whole system is scanned.',
  scopes: ['findings:read', 'scans:write'],
  input: closed({ finding_id: Uuid, ...timeoutParameter }),
  output: {
    outcome: Type.String({ description: Object.keys(outcomes).join(', ') }),
    finding: closed(Finding.properties),
    ...scanOutput,
  },
  longestText: 12_000,
  run: async ({ finding_id, timeout_seconds }, context) => {
    const { client, parts, signal } = context;
    const before = await readFinding(client, finding_id, signal);
    const source_id = await findSource(client, before, signal);
    const target = source_id ? { source_id } : { system_id: before.system_id };
    const { id } = await requestScan({ ...target, idempotency_key: randomUUID() }, context);
    const scan = await followWithin(id, timeout_seconds, context);
    const after = await readFinding(client, finding_id, signal);
    const outcome = outcomeOf(scan, before, after);
    const data = scanData(scan, parts.describeCause);
    return {
      data: { outcome, finding: only(Finding, after), ...data },
      summary: `${outcomes[outcome]} ${describeScan(data.scan)}`,
      lines: [describeFinding(after), ...scanLines(data)],
    };
  },
});

/**
 * A scan that finds it again, or resolves it, moves `updated_at`; one that could not assess it changes nothing. People move it as well, but
 * with the status.
 */
function outcomeOf(scan: ScanWithRuns, before: Finding, after: Finding): Outcome {
  if (scan.finished_at === null) return 'unfinished';
  const isChanged = scan.started_at !== null && Date.parse(after.updated_at) >= Date.parse(scan.started_at);
  if (scan.runs_succeeded === 0 || !isChanged) return 'not_assessed';
  if (after.status === 'resolved') return 'resolved';
  return after.status === before.status || before.status === 'resolved' ? 'still_found' : 'not_assessed';
}

/** A finding does not name its source, but the list of findings can be filtered by it. */
async function findSource(
  client: Client,
  { id, system_id, category, status }: Finding,
  signal: AbortSignal,
): Promise<string | undefined> {
  const candidates: string[] = [];
  for await (const page of pages<'sources', Source>(client, 'sources', {}, signal)) {
    const scanned = page.filter(source => source.system_id === system_id && source.scan_authorized_at);
    candidates.push(...scanned.map(source => source.id));
    if (candidates.length > mostSources) return undefined;
  }
  for (const source_id of candidates) {
    const filters = { source_id, category, status };
    const { value: findings } = await pages<'findings', Finding>(client, 'findings', filters, signal).next();
    if (findings?.some((finding: Finding) => finding.id === id)) return source_id;
  }
  return undefined;
}
