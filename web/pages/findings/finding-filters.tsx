import { Checkbox, Group, Stack } from '@mantine/core';
import type { RefObject } from 'react';
import type { FindingCounts } from '../../../src/contract/dashboard/findings.ts';
import { useFindingPeople } from '../../api/finding-work.ts';
import { type Choice, choicesOf, withChosen } from '../../components/choices.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FilterPill } from '../../components/filter-pill.tsx';
import { FilterSelect, SystemSelect } from '../../components/filter-select.tsx';
import { SearchInput } from '../../components/search-input.tsx';
import { SeverityBadge } from '../../components/severity-badge.tsx';
import { statusLabel } from '../../components/status-badge.tsx';
import { ToggleGroup } from '../../components/toggle-group.tsx';
import { Select } from '../../later/select-field.tsx';
import {
  anyStatus,
  changesOfTime,
  chosenStatuses,
  chosenTime,
  type FilterChanges,
  type FilterValues,
  timeLabel,
} from './filters.ts';
import { mentionables } from './mention-text.ts';

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
  const time = chosenTime(values);
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
        <ToggleGroup
          label="Work"
          chosen={quick.filter(({ is }) => is(values)).map(({ value }) => value)}
          onChange={chosen => {
            const changed = quick.find(({ value, is }) => chosen.includes(value) !== is(values));
            if (changed) set(changed.is(values) ? changed.remove : changed.add);
          }}
          options={quick.map(({ value, label }) => ({ value, label }))}
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
        <OwnerFilter value={values.owner} onChange={owner => set({ owner })} />
        <FilterSelect
          label="Time"
          all="Any time"
          flex="1 1 8rem"
          maw={180}
          choices={withChosen(times, time).map(({ value }) => ({ value, label: timeLabel(value) }))}
          value={time}
          onChange={chosen => set(changesOfTime(chosen))}
        />
        {/* A table is sorted by its headers. */}
        <Select
          aria-label="Sort by"
          hiddenFrom="sm"
          flex="1 1 8rem"
          maw={170}
          allowDeselect={false}
          data={[
            { value: 'worst', label: 'Highest severity' },
            { value: 'due', label: 'Due first' },
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

/** Filters that people use each morning, with one click. */
const quick: readonly {
  readonly value: string;
  readonly label: string;
  readonly is: (values: FilterValues) => boolean;
  readonly add: FilterChanges;
  readonly remove: FilterChanges;
}[] = [
  {
    value: 'mine',
    label: 'Mine',
    is: ({ owner }) => owner === 'me',
    add: { owner: 'me' },
    remove: { owner: null },
  },
  {
    value: 'overdue',
    label: 'Overdue',
    is: ({ due }) => due === 'overdue',
    add: { due: 'overdue' },
    remove: { due: null },
  },
  {
    value: 'week',
    label: 'Due in 7 days',
    is: ({ due }) => due === 'week',
    add: { due: 'week' },
    remove: { due: null },
  },
];

/** Changes in a day, a week and a month. */
const times: Choice[] = (['new_since', 'reopened_since', 'changed_since'] as const).flatMap(name =>
  ['1d', '7d', '30d'].map(since => ({ value: `${name}:${since}`, label: '' })),
);

interface OwnerFilterProps {
  readonly value: string | undefined;
  readonly onChange: (owner: string | null) => void;
}

function OwnerFilter({ value, onChange }: OwnerFilterProps) {
  const people = mentionables(useFindingPeople().data ?? []);
  return (
    <FilterSelect
      label="Owner"
      all="Any owner"
      searchable
      flex="1 1 8rem"
      maw={180}
      choices={[
        { value: 'me', label: 'Me' },
        { value: 'none', label: 'No owner' },
        ...people.map(({ id, label }) => ({ value: id, label })),
      ]}
      value={value}
      onChange={onChange}
    />
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
