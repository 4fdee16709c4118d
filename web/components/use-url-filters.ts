import { useCallback, useMemo } from 'react';
import { useHref, useLocation, useSearchParams } from 'react-router';

/**
 * Filters that live in the address, so that a list can be linked to and the browser's back button works. `names` is a
 * constant. An empty value takes a filter away.
 */
export function useUrlFilters<const Name extends string>(names: readonly Name[]) {
  const [parameters, setParameters] = useSearchParams();
  const address = useHref(useLocation().pathname);
  const values = useMemo(
    () =>
      Object.fromEntries(
        names.flatMap(name => {
          const value = parameters.get(name);
          return value ? [[name, value]] : [];
        }),
      ) as Partial<Record<Name, string>>,
    [parameters, names],
  );
  const set = useCallback(
    (changes: Partial<Record<Name, string | null>>) => {
      // A link changes the address before the next page appears: a search that was typed just before it must neither lead back
      // here nor undo what the link changed.
      if (window.location.pathname !== address) return;
      const after = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changes) as [Name, string | null | undefined][]) {
        if (value) after.set(name, value);
        else after.delete(name);
      }
      setParameters(after, { replace: true });
    },
    [setParameters, address],
  );
  const clear = useCallback(
    () => set(Object.fromEntries(names.map(name => [name, null])) as Record<Name, null>),
    [set, names],
  );
  return { values, set, clear, active: Object.keys(values).length > 0 };
}
