import { Checkbox, Group, Select, Stack } from '@mantine/core';
import type { RefObject } from 'react';
import type { FindingCounts } from '../../../src/contract/dashboard/findings.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FilterPill } from '../../components/filter-pill.tsx';
import { FilterSelect, SystemSelect } from '../../components/filter-select.tsx';
import { SearchInput } from '../../components/search-input.tsx';
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
  /** Of the source that the list is narrowed to, where it is known. */
  readonly sourceName: string | undefined;
  readonly searchRef: RefObject<HTMLInputElement | null>;
}

export function FindingFilterBar({ values, set, clear, active, counts, sourceName, searchRef }: Props) {
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
        <SearchInput
          label="Search title, check and place"
          placeholder="Search (/)"
          value={values.search ?? ''}
          onChange={search => set({ search })}
          ref={searchRef}
        />
        <SystemSelect
          flex="1 1 9rem"
          maw={200}
          value={values.system_id}
          onChange={system_id => set({ system_id, source_id: null })}
        />
        <FilterSelect
          label="Family of checks"
          anything="Any check"
          searchable
          flex="1 1 9rem"
          maw={200}
          choices={choices(values.category)}
          value={values.category}
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
        {values.source_id && (
          <FilterPill
            label={`Only ${sourceName ?? 'one source'}`}
            onRemove={() => set({ source_id: null })}
          />
        )}
        <Checkbox
          label="Came back"
          checked={values.reopened === 'yes'}
          onChange={event => set({ reopened: event.currentTarget.checked ? 'yes' : null })}
        />
      </FilterBar>
    </Stack>
  );
}

/** Families of checks, by the beginning of their ids. */
const families: Readonly<Record<string, string>> = {
  hipaa: 'HIPAA safeguards',
  tls: 'TLS',
  transport: 'HTTPS and redirects',
  headers: 'Headers',
  csp: 'Content security policy',
  cookies: 'Cookies',
  cors: 'Other origins',
  exposure: 'Exposed files',
  secrets: 'Secrets in pages',
  libraries: 'Libraries',
  mail: 'Mail',
  methods: 'Methods',
  page: 'Page',
  reflection: 'Reflection',
  postgres: 'PostgreSQL',
  mysql: 'MySQL and MariaDB',
  supabase: 'Supabase',
};

/** The families, and whatever else the address names. */
function choices(chosen: string | undefined): { value: string; label: string }[] {
  const known = Object.entries(families).map(([value, label]) => ({ value, label }));
  if (!chosen || known.some(({ value }) => value === chosen)) return known;
  return [...known, { value: chosen, label: chosen }];
}
