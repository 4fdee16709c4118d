import type { FindingComment } from '../../../src/contract/dashboard/finding-work.ts';
import type { FindingDetail } from '../../../src/contract/dashboard/findings.ts';
import { dayText } from './due-text.ts';

export interface HistoryEntry {
  readonly key: string;
  readonly at: string;
  readonly title: string;
  readonly scanId?: string | null;
  readonly reason?: string | null;
  readonly acceptedUntil?: string | null;
  readonly comment?: FindingComment;
}

type History = Pick<FindingDetail, 'episodes' | 'decisions' | 'edits' | 'comments'>;
type Decision = History['decisions'][number];
type Edit = History['edits'][number];

function titleOf({ decision, by }: Decision): string {
  if (decision === 'expired') return 'Acceptance expired';
  if (decision === 'reopened') return by === null ? 'Reopened by a scan' : `${by} reopened this finding`;
  const person = by ?? 'Someone';
  return decision === 'accepted'
    ? `${person} accepted this finding`
    : `${person} marked this finding as false positive`;
}

function titleOfEdit({ edit, owner, due_on, by }: Edit): string {
  const person = by ?? 'Someone';
  const name = owner?.name ?? 'Someone';
  if (edit === 'left') return `No owner: ${name} left the organization`;
  if (edit === 'due')
    return due_on === null
      ? `${person} set the due date back to the policy`
      : `${person} set the due date to ${dayText(due_on)}`;
  return owner === null ? `${person} removed the owner` : `${person} assigned this finding to ${name}`;
}

/** When scans detected the finding, and what people decided, assigned, planned and said, newest first. */
export function historyOf({ episodes, decisions, edits, comments }: History): HistoryEntry[] {
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
  const work = edits.map(
    (edit, index): HistoryEntry => ({
      key: `${edit.edit} ${edit.edited_at} ${index}`,
      at: edit.edited_at,
      title: titleOfEdit(edit),
    }),
  );
  const said = comments.map(
    (comment): HistoryEntry => ({
      key: comment.id,
      at: comment.created_at,
      title: `${comment.author.name ?? 'Someone'} commented`,
      comment,
    }),
  );
  return [...detections, ...triage, ...work, ...said].sort((a, b) => (a.at < b.at ? 1 : -1));
}
