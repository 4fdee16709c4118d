const dayMs = 86_400_000;

/** A source whose newest advisory is older than this many days is considered unmaintained. */
const longestLag = 180;

/** The CVE and GitHub ids of a table: by library, `from..below severity ids`, comma-separated. */
export function advisoryIds(table: Readonly<Record<string, string>>): ReadonlySet<string> {
  const ids = Object.values(table)
    .flatMap(ranges => ranges.split(', '))
    .flatMap(range => (range.split(' ')[2] ?? '-').split('+'));
  return new Set(ids.filter(id => id !== '-'));
}

/** The publication date of the newest advisory with a known date. Throws if no date is known. */
export function newestPublication(
  ids: ReadonlySet<string>,
  dates: Readonly<Record<string, string>>,
): { readonly id: string; readonly date: string } {
  const known = [...ids].flatMap(id => (dates[id] === undefined ? [] : [{ id, date: dates[id] }]));
  const newest = known.sort((one, other) => (one.date < other.date ? 1 : -1))[0];
  if (!newest) throw new Error('No advisory of the table has a publication date');
  return newest;
}

interface Renewal {
  readonly table: Readonly<Record<string, string>>;
  readonly bundled: Readonly<Record<string, string>>;
  readonly bundledDate: string;
  readonly dates: Readonly<Record<string, string>>;
  /** ISO 8601 */
  readonly today: string;
}

/**
 * The date of a renewed table. Throws if a new advisory has no publication date, or if the source lags: its
 * newest advisory is older than the bundled one, or older than `longestLag` days.
 */
export function contentDateOf({ table, bundled, bundledDate, dates, today }: Renewal) {
  const ids = advisoryIds(table);
  const before = advisoryIds(bundled);
  const undated = [...ids].filter(id => !before.has(id) && dates[id] === undefined);
  if (undated.length > 0) {
    throw new Error(`Add to maintenance/advisories/publication-dates.ts: ${undated.join(', ')}`);
  }
  const newest = newestPublication(ids, dates);
  if (newest.date < bundledDate) {
    throw new Error(
      `The source lags: its newest advisory is from ${newest.date}, the bundled one from ${bundledDate}`,
    );
  }
  const days = Math.floor((Date.parse(today) - Date.parse(newest.date)) / dayMs);
  if (days > longestLag) {
    throw new Error(
      `The source lags: its newest advisory, ${newest.id} from ${newest.date}, is ${days} days old (at most ${longestLag})`,
    );
  }
  return newest;
}
