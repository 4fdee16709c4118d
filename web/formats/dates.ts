/** Milliseconds. */
export const hour = 3_600_000;
export const day = 24 * hour;

const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** `Nov 21, 2026` in the reader's time zone and language. */
export const dateText = (at: string): string => date.format(new Date(at));

/** `Nov 21, 2026, 6:30 PM` in the reader's time zone and language. */
export const dateTimeText = (at: string): string => dateAndTime.format(new Date(at));

/** `2026-11-21` in UTC. */
export const utcDate = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** `2026-11-21T18:30` in the reader's time zone, as a `datetime-local` input has it. */
export function localDateTime(time: number): string {
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 16);
}

/** `2026-11-21` in the reader's time zone, as a `date` input has it. */
export const localDate = (time: number): string => localDateTime(time).slice(0, 10);

/** The last second of a day in the reader's time zone, as an ISO timestamp. Returns anything else than a date unchanged. */
export function endOfLocalDay(date: string): string {
  const end = new Date(`${date}T23:59:59`);
  return Number.isNaN(end.getTime()) ? date : end.toISOString();
}
