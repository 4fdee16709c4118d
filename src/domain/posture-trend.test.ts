import { expect, it } from 'vitest';
import { type DayPosture, postureTrend } from './posture-trend.ts';

const posture = (day: string, score: number): DayPosture => ({
  day,
  score,
  critical: 0,
  high: 0,
  medium: 0,
  low: 0,
  info: 0,
});
const today = new Date('2026-11-21T23:30:00Z');
const points = (known: DayPosture[], days: number) =>
  postureTrend(known, today, days).map(({ day, score }) => `${day} ${score}`);

it('lets a day without a change stand as the one before', () => {
  expect(points([posture('2026-11-20', 80), posture('2026-11-18', 50)], 5)).toEqual([
    '2026-11-18 50',
    '2026-11-19 50',
    '2026-11-20 80',
    '2026-11-21 80',
  ]);
});

it('begins with what was before the first day', () => {
  const known = [posture('2026-11-21', 90), posture('2026-10-01', 40), posture('2026-09-01', 10)];
  expect(points(known, 3)).toEqual(['2026-11-19 40', '2026-11-20 40', '2026-11-21 90']);
});

it('is empty where nothing is known', () => {
  expect(points([], 30)).toEqual([]);
});
