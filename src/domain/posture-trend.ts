import type { OpenFindings } from './posture-score.ts';

/** Posture at the end of a day, or the current posture for today. */
export interface DayPosture extends OpenFindings {
  /** `2026-11-21`, UTC. */
  readonly day: string;
  readonly score: number | null;
}

const dayLength = 86_400_000;

/**
 * One entry for each of the last `days` days, oldest first, starting with the first known day. A day without changes repeats the day
 * before.
 *
 * @param known newest first
 */
export function postureTrend(known: readonly DayPosture[], today: Date, days: number): DayPosture[] {
  const byDay = new Map(known.map(posture => [posture.day, posture]));
  const end = Date.parse(dayOf(today));
  const first = dayOf(new Date(end - (days - 1) * dayLength));
  let current = known.find(({ day }) => day < first);
  const trend: DayPosture[] = [];
  for (let index = days - 1; index >= 0; index -= 1) {
    const day = dayOf(new Date(end - index * dayLength));
    current = byDay.get(day) ?? current;
    if (current) trend.push({ ...current, day });
  }
  return trend;
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
