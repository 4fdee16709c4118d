import { Text, TextInput } from '@mantine/core';
import { auditActions } from '../../../src/contract/dashboard/audit-actions.ts';
import { usePeople } from '../../api/people.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { type FilterName, type FilterValues, otherActors } from './filters.ts';

interface Props {
  readonly values: FilterValues;
  readonly set: (changes: Partial<Record<FilterName, string | null>>) => void;
  readonly clear: () => void;
  readonly active: boolean;
}

const others = Object.entries(otherActors).map(([value, label]) => ({ value, label }));
const actions = Object.entries(auditActions).map(([value, label]) => ({
  value,
  label: `${value.split('.')[0]}: ${label}`.replaceAll('_', ' '),
}));

export function AuditFilterBar({ values, set, clear, active }: Props) {
  const people = usePeople();
  const named = (people.data?.people ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const who = [...named, ...others];
  return (
    <FilterBar active={active} onClear={clear}>
      <FilterSelect
        label="Who"
        anything="Anyone"
        searchable
        w={180}
        choices={known(who, values.who)}
        value={values.who}
        onChange={chosen => set({ who: chosen })}
      />
      <FilterSelect
        label="What"
        anything="Any act"
        searchable
        w={240}
        choices={known(actions, values.action)}
        value={values.action}
        onChange={action => set({ action })}
      />
      <TextInput
        aria-label="From this day on"
        leftSection={<Text size="sm">From</Text>}
        leftSectionWidth={56}
        type="date"
        w={190}
        {...(values.until ? { max: values.until } : {})}
        value={values.from ?? ''}
        onChange={event => set({ from: event.currentTarget.value })}
      />
      <TextInput
        aria-label="Until this day"
        leftSection={<Text size="sm">Until</Text>}
        leftSectionWidth={56}
        type="date"
        w={190}
        {...(values.from ? { min: values.from } : {})}
        value={values.until ?? ''}
        onChange={event => set({ until: event.currentTarget.value })}
      />
      {values.object_id && (
        <Text size="sm">
          On {values.object_kind} {values.object_id}
        </Text>
      )}
    </FilterBar>
  );
}

/** With whatever the address names, such as somebody who has left. */
function known(options: { value: string; label: string }[], chosen: string | undefined) {
  if (!chosen || options.some(({ value }) => value === chosen)) return options;
  return [...options, { value: chosen, label: chosen }];
}
