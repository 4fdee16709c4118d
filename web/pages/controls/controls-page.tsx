import { Button, Stack } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Control, ControlMatrix } from '../../../src/contract/dashboard/controls.ts';
import { useControl, useControls } from '../../api/controls.ts';
import { useOrganization } from '../../api/session.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { CardSkeleton, Loaded, TableSkeleton } from '../../components/loading.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { useUrlFilters } from '../../components/use-url-filters.ts';
import { DetailDrawer } from '../../later/detail-drawer.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { TakeSnapshotButton } from '../evidence/take-snapshot-button.tsx';
import { ControlDetails } from './control-details.tsx';
import { ControlFilters, filterNames, matches } from './control-filters.tsx';
import { ControlsTable } from './controls-table.tsx';

export default function ControlsPage() {
  const { canOperate } = useOrganization();
  const controls = useControls();
  const filters = useUrlFilters(filterNames);
  const { values, set } = filters;
  return (
    <>
      <PageHeader
        title="Controls"
        description="The standards and specifications of the HIPAA Security Rule. Controls are supported by checks that show them working or by attestations with evidence, unless a finding is open. Parapet doesn't judge compliance."
        actions={canOperate && <TakeSnapshotButton />}
      />
      <Loaded query={controls} skeleton={<TableSkeleton rows={16} />}>
        {matrix => (
          <Stack gap="md">
            <ControlFilters matrix={matrix} filters={filters} />
            <FirstStep matrix={matrix} />
            <Sections
              matrix={matrix}
              isShown={control => matches(control, values)}
              open={values.control}
              onOpen={citation => set({ control: citation })}
            />
            <Dimmed>
              Updated <RelativeTime at={matrix.assessed_at} />.
            </Dimmed>
          </Stack>
        )}
      </Loaded>
      <ControlDrawer citation={values.control} onClose={() => set({ control: null })} />
    </>
  );
}

/** Shown while every control is not assessed. */
function FirstStep({ matrix }: { readonly matrix: ControlMatrix }) {
  const to = useOrganizationPaths();
  if (matrix.totals.not_assessed < matrix.sections.flatMap(({ controls }) => controls).length) return null;
  return (
    <EmptyState
      icon={IconChecklist}
      title="No controls are supported yet"
      action={
        <Button component={Link} to={to.section('sources')} variant="default">
          Add and scan a source
        </Button>
      }
    >
      Scans find problems with technical safeguards and show some of them working. For the rest, such as
      training, contracts and buildings, open a control, attest what is in place and link evidence.
    </EmptyState>
  );
}

interface SectionsProps {
  readonly matrix: ControlMatrix;
  readonly isShown: (control: Control) => boolean;
  readonly open: string | undefined;
  readonly onOpen: (citation: string) => void;
}

function Sections({ matrix, isShown, open, onOpen }: SectionsProps) {
  const sections = matrix.sections
    .map(section => ({ ...section, controls: section.controls.filter(isShown) }))
    .filter(({ controls }) => controls.length > 0);
  if (sections.length === 0) return <NoMatches what="controls" />;
  return sections.map(({ citation, title, controls }) => (
    <Section key={citation} title={`${citation} ${title}`}>
      <ControlsTable caption={title} controls={controls} activeCitation={open} onOpen={onOpen} />
    </Section>
  ));
}

interface ControlDrawerProps {
  readonly citation: string | undefined;
  readonly onClose: () => void;
}

/** One control, beside the list. */
function ControlDrawer({ citation, onClose }: ControlDrawerProps) {
  return (
    <DetailDrawer opened={citation !== undefined} onClose={onClose} title={citation ?? 'Control'}>
      {citation && <Content key={citation} citation={citation} />}
    </DetailDrawer>
  );
}

function Content({ citation }: { readonly citation: string }) {
  const control = useControl(citation);
  return (
    <Loaded query={control} skeleton={<CardSkeleton height={480} />}>
      {data => <ControlDetails detail={data} />}
    </Loaded>
  );
}
