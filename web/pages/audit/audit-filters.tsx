import { Text } from '@mantine/core';
import { auditActions } from '../../../src/contract/dashboard/audit-actions.ts';
import { usePeople } from '../../api/people.ts';
import { choicesOf } from '../../components/choices.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FilterPill } from '../../components/filter-pill.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { type FilterChanges, type FilterValues, otherActors } from './filters.ts';

interface Props {
  readonly values: FilterValues;
  readonly set: (changes: FilterChanges) => void;
  readonly clear: () => void;
  readonly active: boolean;
}

const others = choicesOf(otherActors);
const actions = Object.entries(auditActions).map(([value, label]) => ({
  value,
  label: `${value.split('.')[0]}: ${label}`.replaceAll('_', ' '),
}));

export function AuditFilterBar({ values, set, clear, active }: Props) {
  const people = usePeople();
  const actors = people.data && [
    ...people.data.people.map(({ id, name }) => ({ value: id, label: name })),
    ...others,
  ];
  return (
    <FilterBar active={active} onClear={clear}>
      <FilterSelect
        label="Actor"
        all="All actors"
        searchable
        w={180}
        choices={actors}
        value={values.who}
        onChange={who => set({ who })}
      />
      <FilterSelect
        label="Action"
        all="All actions"
        searchable
        w={240}
        choices={actions}
        value={values.action}
        onChange={action => set({ action })}
      />
      <DateFilter
        label="From"
        {...(values.until ? { max: values.until } : {})}
        value={values.from ?? ''}
        onChange={from => set({ from })}
      />
      <DateFilter
        label="Until"
        {...(values.from ? { min: values.from } : {})}
        value={values.until ?? ''}
        onChange={until => set({ until })}
      />
      {values.object_id && (
        <FilterPill
          label={`Target: ${values.object_kind} ${values.object_id}`}
          onRemove={() => set({ object_kind: null, object_id: null })}
        />
      )}
    </FilterBar>
  );
}

interface DateProps {
  readonly label: string;
  readonly min?: string;
  readonly max?: string;
  readonly value: string;
  readonly onChange: (date: string) => void;
}

function DateFilter({ label, ...rest }: DateProps) {
  return (
    <TextField
      aria-label={`${label} date (UTC)`}
      leftSection={<Text size="sm">{label}</Text>}
      leftSectionWidth={56}
      type="date"
      w={190}
      {...rest}
    />
  );
}
