import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

/**
 * Filters that live in the address, so that a list can be linked to and the browser's back button works. `names` is a
 * constant. An empty value takes a filter away.
 */
export function useUrlFilters<const Name extends string>(names: readonly Name[]) {
  const [parameters, setParameters] = useSearchParams();
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
      setParameters(
        before => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes) as [Name, string | null | undefined][]) {
            if (value) after.set(name, value);
            else after.delete(name);
          }
          return after;
        },
        { replace: true },
      );
    },
    [setParameters],
  );
  const clear = useCallback(
    () => set(Object.fromEntries(names.map(name => [name, null])) as Record<Name, null>),
    [set, names],
  );
  return { values, set, clear, active: Object.keys(values).length > 0 };
}
