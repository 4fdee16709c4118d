/** When a person gets no notifications: minutes of the local day, which may span midnight. */
export interface QuietHours {
  readonly from: number;
  readonly until: number;
  readonly except_critical: boolean;
}

const minutesOfDay = 1_440;

/**
 * How many minutes of quiet hours are left at this moment; 0 outside of them. On a day with a change of the clock it may be an hour off: ask
 * again then.
 */
export function quietMinutesLeft(now: Date, timeZone: string, { from, until }: QuietHours): number {
  const minute = localMinute(now, timeZone);
  const passed = (minute - from + minutesOfDay) % minutesOfDay;
  const length = (until - from + minutesOfDay) % minutesOfDay;
  return passed < length ? length - passed : 0;
}

function localMinute(now: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now);
  const part = (type: 'hour' | 'minute') => Number(parts.find(one => one.type === type)!.value);
  return part('hour') * 60 + part('minute');
}

/**
 * Whether the time zone is a place of the IANA database, or UTC. Abbreviations and offsets are left out: ICU and PostgreSQL read some of
 * them differently.
 */
export function isTimeZone(name: string): boolean {
  if (name === 'UTC') return true;
  if (!name.includes('/') || name.startsWith('Etc/')) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
