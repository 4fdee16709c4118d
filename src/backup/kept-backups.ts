/** How many backups are kept: the newest of each of the last days, weeks (from Monday) and months that have one, in UTC. */
export interface Keep {
  readonly days: number;
  readonly weeks: number;
  readonly months: number;
}

const dayMs = 86_400_000;

/** Days from a Monday. */
const fromMonday = (day: number) => day + 3;

const periods: Readonly<Record<keyof Keep, (moment: Date) => number>> = {
  days: dayOf,
  weeks: moment => Math.floor(fromMonday(dayOf(moment)) / 7),
  months: moment => moment.getUTCFullYear() * 12 + moment.getUTCMonth(),
};

function dayOf(moment: Date): number {
  return Math.floor(moment.getTime() / dayMs);
}

/** Those of the backups that are not kept. The newest is kept in any case. */
export function notKept<Backup extends { readonly madeAt: Date }>(
  backups: readonly Backup[],
  keep: Keep,
): Backup[] {
  const newestFirst = backups.toSorted((one, other) => other.madeAt.getTime() - one.madeAt.getTime());
  const kept = new Set<Backup>(newestFirst.slice(0, 1));
  for (const kind of ['days', 'weeks', 'months'] as const) {
    const seen = new Set<number>();
    for (const backup of newestFirst) {
      const period = periods[kind](backup.madeAt);
      if (seen.has(period)) continue;
      if (seen.size === keep[kind]) break;
      seen.add(period);
      kept.add(backup);
    }
  }
  return newestFirst.filter(backup => !kept.has(backup));
}
