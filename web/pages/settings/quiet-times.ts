/** `20:00` of minutes after midnight. */
export const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Minutes after midnight of `20:00`; 0 for anything else. */
export function minutesOf(time: string): number {
  const [, hours = '0', minutes = '0'] = /^(\d{2}):(\d{2})/.exec(time) ?? [];
  return Number(hours) * 60 + Number(minutes);
}

/** The time zones that this browser knows, with the one of its clock and the chosen one. */
export function timeZones(chosen: string): string[] {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set(['UTC', own, chosen, ...Intl.supportedValuesOf('timeZone')])];
}
