/** A release series of a product and its end of support. */
interface ReleaseSeries {
  /** The leading numbers of its releases: `15`, `9.6`, `10.11`. */
  readonly series: string;
  /** ISO 8601 date of the last day of support; null if the vendor has not announced one. */
  readonly end_of_life: string | null;
  /** The newest release on the table's date, such as `15.18`; null if not known for certain. */
  readonly latest: string | null;
  /** If `latest` is null: a release that existed. Older ones lack fixes; nothing is known about others. */
  readonly known?: string;
}

/** A product's releases as of one day. Uncertain values are null or omitted. */
export interface ReleaseTable {
  readonly product: string;
  /** ISO 8601 date on which every row was correct. */
  readonly as_of: string;
  /** The source of the dates. */
  readonly source: string;
  readonly series: readonly ReleaseSeries[];
}

/** The support status of a version. */
export interface ReleaseStanding {
  readonly series: ReleaseSeries;
  /** The last day of support was before `on`. */
  readonly ended: boolean;
  /** A newer release of the same series existed on the table's date. */
  readonly behind: boolean;
}

/**
 * @param version numbers with dots, such as `15.18`; text after them is ignored
 * @param on ISO 8601 time of the scan
 * @returns undefined if the table has no such series: it is too new, or not a release of this product
 */
export function standingOf(table: ReleaseTable, version: string, on: string): ReleaseStanding | undefined {
  const numbers = numbersOf(version);
  const series = table.series.find(({ series }) =>
    numbersOf(series).every((number, index) => number === numbers[index]),
  );
  if (series === undefined) return undefined;
  const newest = series.latest ?? series.known ?? null;
  return {
    series,
    ended: series.end_of_life !== null && on.slice(0, 10) > series.end_of_life,
    behind: newest !== null && isOlder(numbers, numbersOf(newest)),
  };
}

/** Whether more than a year has passed between the table's date and `on`, an ISO 8601 moment. */
export function isOutdated(table: ReleaseTable, on: string): boolean {
  const [year = '', ...rest] = table.as_of.split('-');
  return on.slice(0, 10) > [Number(year) + 1, ...rest].join('-');
}

function numbersOf(version: string): readonly number[] {
  const [digits = ''] = /^\d{1,9}(?:\.\d{1,9}){0,3}/.exec(version) ?? [];
  return digits.split('.').map(Number);
}

function isOlder(version: readonly number[], other: readonly number[]): boolean {
  for (const [index, number] of other.entries()) {
    const difference = (version[index] ?? 0) - number;
    if (difference !== 0) return difference < 0;
  }
  return false;
}
