import { useCallback, useMemo } from 'react';
import { useHref, useLocation, useSearchParams } from 'react-router';
import { changeFilters, cleared, type FilterChanges, readFilters } from './url-filters.ts';

export type UrlFilters<Name extends string> = ReturnType<typeof useUrlFilters<Name>>;

/**
 * Filters that live in the URL, so that lists can be linked to and the back button works.
 *
 * @param names a constant
 */
export function useUrlFilters<const Name extends string>(names: readonly Name[]) {
  const [query, setQuery] = useSearchParams();
  const path = useHref(useLocation().pathname);
  const values = useMemo(() => readFilters(query, names), [query, names]);
  const set = useCallback(
    (changes: FilterChanges<Name>) => {
      // A link changes the URL before its page renders: a search typed just before must not lead back here.
      if (window.location.pathname !== path) return;
      // Read from the window, since the link may also have changed the query.
      setQuery(changeFilters(window.location.search, changes), { replace: true });
    },
    [setQuery, path],
  );
  const clear = useCallback(() => set(cleared(names)), [set, names]);
  /** The value and the change handler of a filter's input. */
  const field = (name: Name) => ({
    value: values[name] as string | undefined,
    onChange: (value: string | null) => set({ [name]: value } as FilterChanges<Name>),
  });
  return { values, set, clear, field, active: Object.keys(values).length > 0 };
}
