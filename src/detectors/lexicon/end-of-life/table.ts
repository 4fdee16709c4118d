/** One line of development of a product, and how long its makers mend it. */
interface ReleaseSeries {
  /** The leading numbers that its releases share: `15`, `9.6`, `10.11`. */
  readonly series: string;
  /** ISO 8601 date of the last day with support; null where the makers have not named one. */
  readonly end_of_life: string | null;
  /** The newest release known on the table's date: `15.18`; null where that is not known for sure. */
  readonly latest: string | null;
  /** Where `latest` is null: a release that was out. What is older lacks fixes; of the rest nothing is known. */
  readonly known?: string;
}

/** What is known of a product's releases on one day. Nothing in it is a guess: what is not sure is null or left out. */
export interface ReleaseTable {
  readonly product: string;
  /** ISO 8601 date on which every line was true. */
  readonly as_of: string;
  /** Where the dates come from. */
  readonly source: string;
  readonly series: readonly ReleaseSeries[];
}

/** What a table says of a version. */
export interface ReleaseStanding {
  readonly series: ReleaseSeries;
  /** The last day of support was before `on`. */
  readonly ended: boolean;
  /** A newer release of the same series was out on the table's date. */
  readonly behind: boolean;
}

/**
 * @param version numbers with dots, such as `15.18`; what follows them does not count
 * @param on ISO 8601 moment of looking
 * @returns undefined when the table has no such series: too new, or no release of this product
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
