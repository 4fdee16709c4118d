import { Checkbox, Group, Stack } from '@mantine/core';
import type { RefObject } from 'react';
import type { FindingCounts } from '../../../src/contract/dashboard/findings.ts';
import { choicesOf } from '../../components/choices.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FilterPill } from '../../components/filter-pill.tsx';
import { FilterSelect, SystemSelect } from '../../components/filter-select.tsx';
import { SearchInput } from '../../components/search-input.tsx';
import { SeverityBadge } from '../../components/severity-badge.tsx';
import { statusLabel } from '../../components/status-badge.tsx';
import { ToggleGroup } from '../../components/toggle-group.tsx';
import { Select } from '../../later/select-field.tsx';
import { anyStatus, chosenStatuses, type FilterChanges, type FilterValues } from './filters.ts';

const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
const statuses = ['open', 'accepted', 'false_positive', 'resolved'] as const;

interface Props {
  readonly values: FilterValues;
  readonly set: (changes: FilterChanges) => void;
  readonly clear: () => void;
  readonly active: boolean;
  readonly counts: FindingCounts | undefined;
  /** The source that the list is filtered by, once it is known. */
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
          label="Search by title, check or location"
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
          label="Category"
          all="All categories"
          searchable
          flex="1 1 9rem"
          maw={200}
          choices={choicesOf(categories)}
          value={values.category}
          onChange={category => set({ category })}
        />
        <Select
          aria-label="Sort by"
          flex="1 1 8rem"
          maw={170}
          allowDeselect={false}
          data={[
            { value: 'worst', label: 'Highest severity' },
            { value: 'newest', label: 'Newest' },
            { value: 'last_seen', label: 'Last seen' },
          ]}
          value={values.order ?? 'worst'}
          onChange={order => set({ order: order === 'worst' ? null : order })}
        />
        {values.source_id && (
          <FilterPill
            label={sourceName ? `Source: ${sourceName}` : 'One source'}
            onRemove={() => set({ source_id: null })}
          />
        )}
        <Checkbox
          label="Reopened"
          checked={values.reopened === 'yes'}
          onChange={event => set({ reopened: event.currentTarget.checked ? 'yes' : null })}
        />
      </FilterBar>
    </Stack>
  );
}

/** Labels by the first part of a check's id; `hipaa` stands for all checks that map to a safeguard. */
const categories: Readonly<Record<string, string>> = {
  hipaa: 'HIPAA safeguards',
  tls: 'TLS',
  transport: 'HTTPS and redirects',
  headers: 'Security headers',
  csp: 'Content Security Policy',
  cookies: 'Cookies',
  cors: 'CORS',
  exposure: 'Exposed files',
  secrets: 'Secrets in pages',
  libraries: 'Libraries',
  mail: 'Email',
  methods: 'HTTP methods',
  page: 'Page content',
  reflection: 'Reflected input',
  postgres: 'PostgreSQL',
  mysql: 'MySQL and MariaDB',
  redis: 'Redis and Valkey',
  supabase: 'Supabase',
};
