const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

const numeric = new Intl.RelativeTimeFormat('en');
/** For days only: "yesterday" is one day, but "last month" could be any number of days. */
const named = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** `3 minutes ago`, `in 2 days`, `just now`. */
export function relativeTime(time: number, now: number): string {
  const seconds = Math.round((time - now) / 1000);
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? [];
  if (!unit || !size) return 'just now';
  return (unit === 'day' ? named : numeric).format(Math.round(seconds / size), unit);
}

/** `in 2 days`, `in less than a minute`, `due now`: of something that happens soon after its time. */
export function timeUntil(time: number, now: number): string {
  if (time <= now) return 'due now';
  return time - now < 60_000 ? 'in less than a minute' : relativeTime(time, now);
}

/** Date and time with the reader's time zone. */
export const exactTime = (time: number): string => exact.format(time);
