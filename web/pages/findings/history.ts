import type { FindingDetail } from '../../../src/contract/dashboard/findings.ts';

export interface HistoryEntry {
  readonly key: string;
  readonly at: string;
  readonly title: string;
  readonly scanId?: string | null;
  readonly reason?: string | null;
  readonly acceptedUntil?: string | null;
}

type Decision = FindingDetail['decisions'][number];

function titleOf({ decision, by }: Decision): string {
  if (decision === 'expired') return 'Acceptance expired';
  if (decision === 'reopened') return by === null ? 'Reopened by a scan' : `${by} reopened this finding`;
  const person = by ?? 'Someone';
  return decision === 'accepted'
    ? `${person} accepted this finding`
    : `${person} marked this finding as false positive`;
}

/** When scans detected the finding, and what people decided, newest first. */
export function historyOf({ episodes, decisions }: FindingDetail): HistoryEntry[] {
  const detections = episodes.flatMap(({ number, ...episode }): HistoryEntry[] => {
    const opened = {
      key: `opened ${number}`,
      at: episode.opened_at,
      title: number === 1 ? 'First detected' : 'Detected again',
      scanId: episode.opened_by_scan,
    };
    if (!episode.closed_at) return [opened];
    const closed = { key: `closed ${number}`, at: episode.closed_at, scanId: episode.closed_by_scan };
    return [opened, { ...closed, title: 'No longer detected' }];
  });
  const triage = decisions.map(
    (decision): HistoryEntry => ({
      key: `${decision.decision} ${decision.decided_at}`,
      at: decision.decided_at,
      title: titleOf(decision),
      reason: decision.reason,
      acceptedUntil: decision.accepted_until,
    }),
  );
  return [...detections, ...triage].sort((a, b) => (a.at < b.at ? 1 : -1));
}
