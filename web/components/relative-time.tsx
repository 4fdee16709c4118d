import { useEffect, useState } from 'react';

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

const counted = new Intl.RelativeTimeFormat('en');
/** Yesterday and tomorrow are days; last month and next year could be any. */
const named = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** `3 minutes ago`, `in 2 days`, `just now`. */
function inWords(time: number, now: number): string {
  const seconds = Math.round((time - now) / 1000);
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? [];
  if (!unit || !size) return 'just now';
  return (unit === 'day' ? named : counted).format(Math.round(seconds / size), unit);
}

/** A time as people say it, the exact one on hover. `at` as on the wire. */
export function RelativeTime({ at }: { readonly at: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  const time = new Date(at);
  return (
    <time dateTime={at} title={exact.format(time)}>
      {inWords(time.getTime(), now)}
    </time>
  );
}
