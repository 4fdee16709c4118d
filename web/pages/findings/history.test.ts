import { expect, it } from 'vitest';
import type { FindingDetail } from '../../../src/contract/dashboard/findings.ts';
import { historyOf } from './history.ts';

type History = Pick<FindingDetail, 'episodes' | 'decisions'>;

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
};

it('lists detections and triage together, newest first', () => {
  expect(historyOf(finding as FindingDetail).map(({ at, title }) => `${at} ${title}`)).toEqual([
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
  const entries = historyOf(finding as FindingDetail);
  expect(entries.find(({ title }) => title === 'No longer detected')?.scanId).toBe('s2');
  expect(entries.find(({ title }) => title.startsWith('Ada'))).toMatchObject({
    reason: 'VPN',
    acceptedUntil: '2026-02-01',
  });
});
