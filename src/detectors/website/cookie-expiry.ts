const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Milliseconds since 1970 of a cookie date, parsed as by browsers (RFC 6265, section 5.1.1); undefined if invalid. */
function cookieDate(text: string): number | undefined {
  let time: RegExpExecArray | null = null;
  let day: number | undefined;
  let month: number | undefined;
  let year: number | undefined;
  for (const token of text.split(/[\t\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+/)) {
    const ofTime: RegExpExecArray | null =
      time === null ? /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?!\d)/.exec(token) : null;
    const ofDay = /^\d{1,2}(?!\d)/.exec(token);
    const ofMonth = months.indexOf(token.slice(0, 3).toLowerCase());
    const ofYear = /^\d{2,4}(?!\d)/.exec(token);
    if (ofTime !== null) time = ofTime;
    else if (day === undefined && ofDay !== null) day = Number(ofDay[0]);
    else if (month === undefined && ofMonth >= 0) month = ofMonth;
    else if (year === undefined && ofYear !== null) year = Number(ofYear[0]);
  }
  if (time === null || day === undefined || month === undefined || year === undefined) return undefined;
  const fullYear = year >= 100 ? year : year + (year >= 70 ? 1900 : 2000);
  const [hour, minute, second] = time.slice(1).map(Number) as [number, number, number];
  if (day < 1 || day > 31 || fullYear < 1601 || hour > 23 || minute > 59 || second > 59) return undefined;
  return Date.UTC(fullYear, month, day, hour, minute, second);
}

/**
 * Whether a browser deletes a cookie instead of storing it. Max-Age takes precedence over Expires, the last of each counts, and Expires
 * is compared with the server's clock where the response has a Date.
 *
 * @param setCookie the field's value, with all attributes
 * @param clock milliseconds since 1970 of the response's Date, or of the capture
 */
export function isDeleted(setCookie: string, clock: number): boolean {
  let maxAge: number | undefined;
  let expires: number | undefined;
  for (const attribute of setCookie.split(';').slice(1)) {
    const at = attribute.indexOf('=');
    if (at === -1) continue;
    const name = attribute.slice(0, at).trim().toLowerCase();
    const value = attribute.slice(at + 1).trim();
    if (name === 'max-age' && /^-?\d+$/.test(value)) maxAge = Number(value);
    else if (name === 'expires') expires = cookieDate(value) ?? expires;
  }
  return maxAge !== undefined ? maxAge <= 0 : expires !== undefined && expires <= clock;
}
