export type FilterValues<Name extends string> = Partial<Record<Name, string>>;

/** Null and the empty string remove a filter. */
export type FilterChanges<Name extends string> = Partial<Record<Name, string | null | undefined>>;

/** The filters that the query has a value for. */
export function readFilters<const Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): FilterValues<Name> {
  const set = names.flatMap(name => {
    const value = query.get(name);
    return value ? [[name, value]] : [];
  });
  return Object.fromEntries(set);
}

/** The query with changed filters; its other parameters stay. */
export function changeFilters<Name extends string>(
  search: string,
  changes: FilterChanges<Name>,
): URLSearchParams {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries<string | null | undefined>(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  return query;
}

/** Changes that remove all of the filters. */
export const cleared = <Name extends string>(names: readonly Name[]): FilterChanges<Name> =>
  Object.fromEntries(names.map(name => [name, null])) as FilterChanges<Name>;
