import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { useSystemNames } from '../api/system-names.ts';

/** Properties of a `Select` of systems: the service finds those that match what is typed. @param chosen the id */
export function useSystemChoices(chosen: string | null | undefined) {
  const [typed, setTyped] = useState('');
  const [paused] = useDebouncedValue(typed, 200);
  const [chosenName, setChosenName] = useState<string>();
  // After a choice, its name stays in the field: then people see all systems, not those with that name.
  const search = chosen && paused === chosenName ? '' : paused.trim().slice(0, 200);
  const { data } = useSystemNames({ ...(search && { search }), ...(chosen && { id: chosen }) });
  const name = chosen ? data?.find(({ id }) => id === chosen)?.name : undefined;
  if (name !== undefined && name !== chosenName) setChosenName(name);
  const choices = useMemo(() => (data ?? []).map(({ id, name }) => ({ value: id, label: name })), [data]);
  return {
    isEmpty: data?.length === 0 && !search,
    select: {
      data: choices,
      searchable: true,
      searchValue: typed,
      onSearchChange: setTyped,
      nothingFoundMessage: 'No systems found',
    },
  };
}
