import { Group } from '@mantine/core';
import type { Control, ControlMatrix } from '../../../src/contract/dashboard/controls.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { ToggleGroup } from '../../components/toggle-group.tsx';
import type { FilterValues } from '../../components/url-filters.ts';
import type { UrlFilters } from '../../components/use-url-filters.ts';

const states = ['attention', 'not_assessed', 'attested', 'supported', 'not_applicable'] as const;
const requirements = [
  { value: 'required', label: 'Required' },
  { value: 'addressable', label: 'Addressable' },
];

export const filterNames = ['state', 'requirement', 'control'] as const;
type ControlFilter = (typeof filterNames)[number];

/** Whether a control matches the filters. */
export function matches({ state, requirement }: Control, filters: FilterValues<ControlFilter>): boolean {
  const wanted = filters.state?.split(',');
  if (wanted && !wanted.includes(state)) return false;
  return !filters.requirement || filters.requirement === requirement;
}

interface Props {
  readonly matrix: ControlMatrix;
  readonly filters: UrlFilters<ControlFilter>;
}

export function ControlFilters({ matrix, filters: { values, set, field } }: Props) {
  return (
    <Group gap="md" align="flex-start">
      <ToggleGroup
        label="Status"
        chosen={values.state?.split(',') ?? []}
        onChange={chosen => set({ state: chosen.join(',') })}
        options={states.map(value => ({
          value,
          label: <StatusBadge status={value} />,
          count: matrix.totals[value],
        }))}
      />
      <FilterBar
        active={Boolean(values.state ?? values.requirement)}
        onClear={() => set({ state: null, requirement: null })}
      >
        <FilterSelect
          label="Requirement"
          all="All requirements"
          w={210}
          choices={requirements}
          {...field('requirement')}
        />
      </FilterBar>
    </Group>
  );
}
