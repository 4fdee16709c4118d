import { Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import type { SystemRow } from '../../../src/contract/dashboard/systems.ts';
import { useOrganization } from '../../api/session.ts';
import { useApproveSystem } from '../../api/systems.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { notify } from '../../components/notify.ts';
import { RowAction, RowActions } from '../../components/row-actions.tsx';
import { Score } from '../../components/score.tsx';
import { SeverityCounts } from '../../components/severity-counts.tsx';
import type { Column } from '../../components/table-column.ts';
import { TextLink } from '../../components/text-link.tsx';
import { TwoLines } from '../../components/two-lines.tsx';
import { counted } from '../../formats/numbers.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { environmentLabels, kindLabels } from './system-labels.ts';

interface Props {
  readonly systems: readonly SystemRow[];
  readonly onEdit: (system: SystemRow) => void;
}

export function SystemsTable({ systems, onEdit }: Props) {
  const to = useOrganizationPaths();
  const { canOperate } = useOrganization();
  const columns: Column<SystemRow>[] = [
    {
      header: 'System',
      render: ({ name, kind, environment }) => (
        <TwoLines
          title={name}
          detail={`${kindLabels[kind]}, ${environmentLabels[environment].toLowerCase()}`}
        />
      ),
    },
    { header: 'Score', render: ({ score }) => <Score score={score} /> },
    { header: 'Open findings', render: row => <OpenFindings {...row} /> },
    {
      header: 'Sources',
      align: 'right',
      render: ({ id, name, sources }) => (
        <TextLink
          to={to.section('sources', { system_id: id })}
          aria-label={`${counted(sources, 'source')} of ${name}`}
        >
          {sources}
        </TextLink>
      ),
    },
    {
      header: 'Approval',
      render: ({ approved }) =>
        approved ? (
          <Group gap={4} wrap="nowrap">
            <IconCircleCheck size={16} aria-hidden color="var(--good)" />
            <Text span size="sm">
              Approved
            </Text>
          </Group>
        ) : (
          <Text span size="sm">
            Created by API key
          </Text>
        ),
    },
  ];
  return (
    <DataTable
      caption="Systems"
      columns={columns}
      rows={systems}
      rowKey={system => system.id}
      actions={canOperate ? system => <Actions system={system} onEdit={onEdit} /> : undefined}
      href={system => to.section('findings', { system_id: system.id })}
    />
  );
}

function Actions({ system, onEdit }: { readonly system: SystemRow; readonly onEdit: Props['onEdit'] }) {
  const approve = useApproveSystem();
  const navigate = useNavigate();
  const to = useOrganizationPaths();
  const onSuccess = () => notify(`${system.name} approved`);
  return (
    <RowActions>
      {!system.approved && (
        <RowAction loading={approve.isPending} onClick={() => approve.mutate(system.id, { onSuccess })}>
          Approve
        </RowAction>
      )}
      <RowAction onClick={() => void navigate(to.section('sources/new', { system_id: system.id }))}>
        Add source
      </RowAction>
      <RowAction onClick={() => onEdit(system)}>Edit</RowAction>
      <RowAction onClick={() => void navigate(to.section('probes/new', { system_id: system.id }))}>
        Add a probe
      </RowAction>
    </RowActions>
  );
}

/** Says how many sources have never been scanned, since their findings are unknown. */
function OpenFindings({ open, score, sources, not_scanned }: SystemRow) {
  return (
    <Stack gap={2} component="span">
      <SeverityCounts open={open} scanned={score !== null} />
      {score !== null && not_scanned > 0 && (
        <Dimmed span size="xs">
          {not_scanned} of {sources} sources not scanned
        </Dimmed>
      )}
    </Stack>
  );
}
