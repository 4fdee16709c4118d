const units = ['bytes', 'KiB', 'MiB', 'GiB'] as const;

/** `3.4 MiB` */
export function byteSize(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const number = bytes / 1024 ** power;
  return `${number.toLocaleString(undefined, { maximumFractionDigits: 1 })} ${units[power]}`;
}

/** `1 source`, `3 sources`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;
}

const spans = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** `Every hour`, `Every 90 seconds`: in the largest unit without a fraction. */
export function intervalText(seconds: number): string {
  const [length, unit] = spans.find(([length]) => seconds % length === 0)!;
  const count = seconds / length;
  return count === 1 ? `Every ${unit}` : `Every ${counted(count, unit)}`;
}

interface Timed {
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** `3.4 s`, `12 s`; a dash until it has finished. */
export function duration({ started_at, finished_at }: Timed): string {
  if (!started_at || !finished_at) return '–';
  const seconds = (Date.parse(finished_at) - Date.parse(started_at)) / 1000;
  return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}

/** `in 40 seconds`, `in 9 minutes`. */
export function inWaitingTime(seconds: number): string {
  return seconds < 90
    ? `in ${counted(seconds, 'second')}`
    : `in ${counted(Math.ceil(seconds / 60), 'minute')}`;
}
