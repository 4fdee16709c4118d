import { Checkbox, Group, Select, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type RefObject, useEffect, useState } from 'react';
import type { FindingCounts } from '../../../src/contract/dashboard/findings.ts';
import { useSystemNames } from '../../api/system-names.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { SeverityBadge } from '../../components/severity-badge.tsx';
import { statusLabel } from '../../components/status-badge.tsx';
import { ToggleGroup } from '../../components/toggle-group.tsx';
import type { FilterName, FilterValues } from './filters.ts';
import { anyStatus, chosenStatuses } from './filters.ts';

const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
const statuses = ['open', 'accepted', 'false_positive', 'resolved'] as const;

interface Props {
  readonly values: FilterValues;
  readonly set: (changes: Partial<Record<FilterName, string | null>>) => void;
  readonly clear: () => void;
  readonly active: boolean;
  readonly counts: FindingCounts | undefined;
  readonly searchRef: RefObject<HTMLInputElement | null>;
}

export function FindingFilterBar({ values, set, clear, active, counts, searchRef }: Props) {
  const systems = useSystemNames();
  return (
    <Stack gap={0}>
      <Group gap="md" mb="xs">
        <ToggleGroup
          label="Severity"
          chosen={values.severity?.split(',') ?? []}
          onChange={chosen => set({ severity: chosen.join(',') })}
          options={severities.map(value => ({
            value,
            label: <SeverityBadge severity={value} />,
            count: counts?.by_severity[value],
          }))}
        />
        <ToggleGroup
          label="Status"
          chosen={chosenStatuses(values)}
          onChange={chosen => set({ status: chosen.length > 0 ? chosen.join(',') : anyStatus })}
          options={statuses.map(value => ({
            value,
            label: statusLabel(value),
            count: counts?.by_status[value],
          }))}
        />
      </Group>
      <FilterBar active={active} onClear={clear}>
        <SearchInput value={values.search ?? ''} onChange={search => set({ search })} inputRef={searchRef} />
        <Select
          aria-label="System"
          placeholder="Any system"
          clearable
          searchable
          flex="1 1 9rem"
          maw={200}
          data={[...(systems.data ?? [])].map(([value, label]) => ({ value, label }))}
          value={values.system_id ?? null}
          onChange={system_id => set({ system_id, source_id: null })}
        />
        <Select
          aria-label="Family of checks"
          placeholder="Any check"
          clearable
          searchable
          flex="1 1 9rem"
          maw={200}
          data={families(values.category)}
          value={values.category ?? null}
          onChange={category => set({ category })}
        />
        <Select
          aria-label="Order"
          flex="1 1 8rem"
          maw={170}
          allowDeselect={false}
          data={[
            { value: 'worst', label: 'Worst first' },
            { value: 'newest', label: 'Newest first' },
            { value: 'last_seen', label: 'Last seen first' },
          ]}
          value={values.order ?? 'worst'}
          onChange={order => set({ order: order === 'worst' ? null : order })}
        />
        <Checkbox
          label="Came back"
          checked={values.reopened === 'yes'}
          onChange={event => set({ reopened: event.currentTarget.checked ? 'yes' : null })}
        />
      </FilterBar>
    </Stack>
  );
}

/** The families that have most checks, and whichever the address names. */
function families(chosen: string | undefined): { value: string; label: string }[] {
  const known = [
    { value: 'hipaa', label: 'HIPAA safeguards' },
    { value: 'website', label: 'Websites' },
    { value: 'postgres', label: 'PostgreSQL' },
    { value: 'mysql', label: 'MySQL' },
    { value: 'supabase', label: 'Supabase' },
  ];
  if (!chosen || known.some(({ value }) => value === chosen)) return known;
  return [...known, { value: chosen, label: chosen }];
}

interface SearchProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly inputRef: RefObject<HTMLInputElement | null>;
}

/** Waits until whoever types pauses. */
function SearchInput({ value, onChange, inputRef }: SearchProps) {
  const [text, setText] = useState(value);
  const later = useDebouncedCallback(onChange, 250);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      ref={inputRef}
      type="search"
      aria-label="Search title, check and place"
      placeholder="Search (/)"
      maxLength={200}
      flex="1 1 14rem"
      maw={320}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={event => {
        setText(event.currentTarget.value);
        later(event.currentTarget.value.trim());
      }}
    />
  );
}
