import { Text } from '@mantine/core';
import { auditActions } from '../../../src/contract/dashboard/audit-actions.ts';
import { usePeople } from '../../api/people.ts';
import { choicesOf } from '../../components/choices.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FilterPill } from '../../components/filter-pill.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import type { UrlFilters } from '../../components/use-url-filters.ts';
import { TextField } from '../../forms/text-field.tsx';
import { type FilterName, otherActors } from './filters.ts';

const others = choicesOf(otherActors);
const actions = Object.entries(auditActions).map(([value, label]) => ({
  value,
  label: `${value.split('.')[0]}: ${label}`.replaceAll('_', ' '),
}));

export function AuditFilterBar({ filters }: { readonly filters: UrlFilters<FilterName> }) {
  const { values, set, clear, field, active } = filters;
  const people = usePeople();
  const actors = people.data && [
    ...people.data.people.map(({ id, name }) => ({ value: id, label: name })),
    ...others,
  ];
  return (
    <FilterBar active={active} onClear={clear}>
      <FilterSelect label="Actor" all="All actors" searchable w={180} choices={actors} {...field('who')} />
      <FilterSelect
        label="Action"
        all="All actions"
        searchable
        w={240}
        choices={actions}
        {...field('action')}
      />
      <DateFilter label="From" max={values.until} {...field('from')} />
      <DateFilter label="Until" min={values.from} {...field('until')} />
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
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly value: string | undefined;
  readonly onChange: (date: string) => void;
}

function DateFilter({ label, value = '', ...rest }: DateProps) {
  return (
    <TextField
      aria-label={`${label} date (UTC)`}
      leftSection={<Text size="sm">{label}</Text>}
      leftSectionWidth={56}
      type="date"
      w={190}
      value={value}
      {...rest}
    />
  );
}
