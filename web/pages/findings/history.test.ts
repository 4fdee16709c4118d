import { expect, it } from 'vitest';
import type { FindingDetail } from '../../../src/contract/dashboard/findings.ts';
import { historyOf } from './history.ts';

type History = Pick<FindingDetail, 'episodes' | 'decisions' | 'edits' | 'comments'>;

const finding: History = {
  episodes: [
    {
      number: 1,
      opened_at: '2026-01-01',
      opened_by_scan: 's1',
      closed_at: '2026-01-03',
      closed_by_scan: 's2',
    },
    { number: 2, opened_at: '2026-01-05', opened_by_scan: 's3', closed_at: null, closed_by_scan: null },
  ],
  decisions: [
    {
      decision: 'accepted',
      by: 'Ada',
      reason: 'VPN',
      accepted_until: '2026-02-01',
      decided_at: '2026-01-02',
    },
    { decision: 'expired', by: null, reason: null, accepted_until: null, decided_at: '2026-02-01' },
    { decision: 'reopened', by: null, reason: null, accepted_until: null, decided_at: '2026-01-04' },
    { decision: 'reopened', by: 'Ben', reason: null, accepted_until: null, decided_at: '2026-02-02' },
    { decision: 'false_positive', by: 'Ben', reason: 'CDN', accepted_until: null, decided_at: '2026-02-03' },
  ],
  edits: [
    { edit: 'left', owner: { id: 'c', name: 'Cleo' }, due_on: null, by: null, edited_at: '2026-02-09' },
    { edit: 'owner', owner: null, due_on: null, by: 'Ben', edited_at: '2026-02-08' },
    { edit: 'owner', owner: { id: 'c', name: 'Cleo' }, due_on: null, by: 'Ben', edited_at: '2026-02-07' },
    { edit: 'due', owner: null, due_on: null, by: 'Ben', edited_at: '2026-02-06' },
    { edit: 'due', owner: null, due_on: '2026-03-01', by: 'Ben', edited_at: '2026-02-05' },
  ],
  comments: [
    {
      id: 'x',
      author: { id: 'a', name: 'Ada' },
      body: 'Fixed?',
      mentions: [],
      mine: false,
      created_at: '2026-02-04',
      edited_at: null,
    },
  ],
};

it('lists detections, triage, owners, due dates and comments together, newest first', () => {
  expect(historyOf(finding).map(({ at, title }) => `${at} ${title}`)).toEqual([
    '2026-02-09 No owner: Cleo left the organization',
    '2026-02-08 Ben removed the owner',
    '2026-02-07 Ben assigned this finding to Cleo',
    '2026-02-06 Ben set the due date back to the policy',
    '2026-02-05 Ben set the due date to Mar 1, 2026',
    '2026-02-04 Ada commented',
    '2026-02-03 Ben marked this finding as false positive',
    '2026-02-02 Ben reopened this finding',
    '2026-02-01 Acceptance expired',
    '2026-01-05 Detected again',
    '2026-01-04 Reopened by a scan',
    '2026-01-03 No longer detected',
    '2026-01-02 Ada accepted this finding',
    '2026-01-01 First detected',
  ]);
});

it('keeps the scan of a detection, and the reason and end of an acceptance', () => {
  const entries = historyOf(finding);
  expect(entries.find(({ title }) => title === 'No longer detected')?.scanId).toBe('s2');
  expect(entries.find(({ title }) => title.startsWith('Ada accepted'))).toMatchObject({
    reason: 'VPN',
    acceptedUntil: '2026-02-01',
  });
});
