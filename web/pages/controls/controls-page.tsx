import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Control, ControlMatrix } from '../../../src/contract/dashboard/controls.ts';
import { useControls } from '../../api/controls.ts';
import { useOrganization } from '../../api/session.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Loaded, TableSkeleton } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { ToggleGroup } from '../../components/toggle-group.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { TakeSnapshotButton } from '../evidence/take-snapshot-button.tsx';
import { ControlDrawer } from './control-drawer.tsx';
import { ControlsTable } from './controls-table.tsx';

const states = ['attention', 'not_assessed', 'attested', 'supported', 'not_applicable'] as const;
const inAddress = ['state', 'requirement', 'control'] as const;

export default function ControlsPage() {
  const { canOperate } = useOrganization();
  const controls = useControls();
  const { values, set } = useUrlFilters(inAddress);
  const { control: open, ...filters } = values;
  return (
    <>
      <PageHeader
        title="Controls"
        description="Standards and specifications of the HIPAA Security Rule. A control is supported by checks that show it working, or by an attestation with evidence. Findings lower it. Parapet does not judge compliance."
        actions={canOperate && <TakeSnapshotButton />}
      />
      <Loaded query={controls} skeleton={<TableSkeleton rows={16} />}>
        {matrix => (
          <Stack gap="md">
            <Filters matrix={matrix} values={filters} set={set} />
            <NothingSupported matrix={matrix} />
            <Sections
              matrix={matrix}
              fits={control => fits(control, filters)}
              open={open}
              onOpen={citation => set({ control: citation })}
            />
            <Text size="sm" c="dimmed">
              Counted <RelativeTime at={matrix.assessed_at} />.
            </Text>
          </Stack>
        )}
      </Loaded>
      <ControlDrawer citation={open} onClose={() => set({ control: null })} />
    </>
  );
}

type Values = Partial<Record<'state' | 'requirement', string>>;

function fits({ state, requirement }: Control, filters: Values): boolean {
  const wanted = filters.state?.split(',');
  if (wanted && !wanted.includes(state)) return false;
  return !filters.requirement || filters.requirement === requirement;
}

interface FiltersProps {
  readonly matrix: ControlMatrix;
  readonly values: Values;
  readonly set: (changes: Partial<Record<keyof Values, string | null>>) => void;
}

function Filters({ matrix, values, set }: FiltersProps) {
  return (
    <Group gap="md" align="flex-start">
      <ToggleGroup
        label="State"
        chosen={values.state?.split(',') ?? []}
        onChange={chosen => set({ state: chosen.join(',') })}
        options={states.map(value => ({
          value,
          label: <StatusBadge status={value} />,
          count: matrix.totals[value],
        }))}
      />
      <FilterBar
        active={Object.keys(values).length > 0}
        onClear={() => set({ state: null, requirement: null })}
      >
        <Select
          aria-label="Requirement"
          placeholder="Required or addressable"
          clearable
          w={210}
          data={[
            { value: 'required', label: 'Required' },
            { value: 'addressable', label: 'Addressable' },
          ]}
          value={values.requirement ?? null}
          onChange={requirement => set({ requirement })}
        />
      </FilterBar>
    </Group>
  );
}

/** The next step, where nothing is known yet. */
function NothingSupported({ matrix }: { readonly matrix: ControlMatrix }) {
  const to = useOrganizationPaths();
  if (matrix.totals.not_assessed < matrix.sections.flatMap(({ controls }) => controls).length) return null;
  return (
    <EmptyState
      icon={IconChecklist}
      title="Nothing supports a control yet"
      action={
        <Button component={Link} to={to.section('sources')} variant="default">
          Connect and scan a source
        </Button>
      }
    >
      Scans find problems with technical safeguards, and show a few of them working. For the rest, such as
      training, contracts and buildings, open a control, attest what is in place and link evidence.
    </EmptyState>
  );
}

interface SectionsProps {
  readonly matrix: ControlMatrix;
  readonly fits: (control: Control) => boolean;
  readonly open: string | undefined;
  readonly onOpen: (citation: string) => void;
}

function Sections({ matrix, fits, open, onOpen }: SectionsProps) {
  const sections = matrix.sections
    .map(section => ({ ...section, controls: section.controls.filter(fits) }))
    .filter(({ controls }) => controls.length > 0);
  if (sections.length === 0) {
    return <EmptyState title="No control fits these filters">Take a filter away to see more.</EmptyState>;
  }
  return sections.map(({ citation, title, controls }) => (
    <Section key={citation} title={`${citation} ${title}`}>
      <ControlsTable caption={title} controls={controls} activeCitation={open} onOpen={onOpen} />
    </Section>
  ));
}
