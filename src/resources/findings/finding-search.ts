import type { TenantSession } from '../../database/tenant-store.ts';

/** Where findings with a text can be. Each is compared itself, except those of whole checks. */
export interface SearchPlaces {
  /** Checks whose findings all have the text. */
  readonly whole: readonly string[];
  /** Checks with findings that can have the text, and others. */
  readonly partial: readonly string[];
  /** Sources with the text in a locator. Undefined if there are so many that the text is frequent. */
  readonly sources: readonly string[] | undefined;
}

/** Of more sources, reading findings in the order of a list until a page is full is faster. */
const mostSources = 400;

/** The titles and locators of an organization are a fraction of the texts of its findings. */
export async function placesOf(session: TenantSession, search: string): Promise<SearchPlaces> {
  const [checks, locators] = await Promise.all([
    session.query<{ check: string; whole: boolean }>({
      // The text of a finding is that of its check, a space, and its locator: a search that contains this space is in some of the findings
      // of a check whose text ends like the part before it.
      text: `select check_id as check, coalesce(bool_and(has_part), false) as whole from (
          select check_id, strpos(text, part) > 0 as has_part,
            exists (select from generate_series(1, length(part)) as n
              where substr(part, n, 1) = ' ' and right(text || ' ', n) = left(part, n)) as ends_like_it
          from check_titles, lower(title || ' ' || check_id collate "default") as text, lower($1) as part) as checks
        group by check_id having bool_or(has_part or ends_like_it)`,
      values: [search],
    }),
    session.query<{ source_id: string }>({
      text: 'select distinct source_id from source_locators where strpos(locators, lower($1)) > 0 limit $2',
      values: [search, mostSources + 1],
    }),
  ]);
  const idsOf = (isWhole: boolean) =>
    checks.filter(({ whole }) => whole === isWhole).map(({ check }) => check);
  return {
    whole: idsOf(true),
    partial: idsOf(false),
    sources: locators.length > mostSources ? undefined : locators.map(row => row.source_id),
  };
}
