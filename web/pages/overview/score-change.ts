import { counted } from '../../formats/numbers.ts';

/** `+19 in 30 days`; fewer days where the trend is shorter, undefined where there is nothing to compare. */
export function scoreChange(trend: readonly { readonly score: number | null }[]): string | undefined {
  const last = trend.at(-1)?.score;
  const before = trend.at(-31)?.score ?? trend[0]?.score;
  if (trend.length < 2 || last == null || before == null) return undefined;
  const change = last - before;
  const period = `in ${counted(Math.min(30, trend.length - 1), 'day')}`;
  if (change === 0) return `No change ${period}`;
  return `${change > 0 ? '+' : '−'}${Math.abs(change)} ${period}`;
}
