import type { EventCounts } from '../../../src/contract/dashboard/events.ts';
import { useProbes } from '../../api/probes.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FilterSelect, SystemSelect } from '../../components/filter-select.tsx';
import type { UrlFilters } from '../../components/use-url-filters.ts';
import { Select } from '../../later/select-field.tsx';

export const filterNames = ['channel', 'kind', 'system_id', 'probe_id', 'days'] as const;

export const defaultDays = '7';

const periods = [
  { value: '1', label: 'Last 24 hours' },
  { value: '3', label: 'Last 3 days' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
];

const channels = [
  { value: 'events', label: 'Probes and API clients' },
  { value: 'shield', label: 'Shield' },
];

interface Props {
  readonly filters: UrlFilters<(typeof filterNames)[number]>;
  readonly counts: EventCounts | undefined;
}

export function EventFilters({ filters: { values, set, clear, field, active }, counts }: Props) {
  const types = counts?.kinds.map(({ kind, count }) => ({
    value: kind,
    label: `${kind} (${count.toLocaleString()})`,
  }));
  const probes = useProbes({}).data?.pages.flatMap(page => page.probes);
  const choices = probes?.map(({ id, name, system }) => ({ value: id, label: `${name}, ${system.name}` }));
  const chooseProbe = (probe_id: string | null) => {
    const probe = probes?.find(({ id }) => id === probe_id);
    set({ probe_id, ...(probe ? { system_id: probe.system.id } : {}) });
  };
  return (
    <FilterBar active={active} onClear={clear}>
      <Select
        aria-label="Period"
        w={160}
        allowDeselect={false}
        data={periods}
        value={values.days ?? defaultDays}
        onChange={days => set({ days: days === defaultDays ? null : days })}
      />
      <FilterSelect label="Channel" all="All channels" w={190} choices={channels} {...field('channel')} />
      <FilterSelect label="Type" all="All types" searchable w={190} choices={types} {...field('kind')} />
      <SystemSelect w={180} {...field('system_id')} />
      <FilterSelect
        label="Probe"
        all="All probes"
        searchable
        w={170}
        choices={choices}
        value={values.probe_id}
        onChange={chooseProbe}
      />
    </FilterBar>
  );
}
