import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { SystemRow } from '../../../src/contract/dashboard/systems.ts';
import { useOrganization } from '../../api/session.ts';
import { useApproveSystem } from '../../api/systems.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Score } from '../../components/score.tsx';
import { SeverityCounts } from '../../components/severity-counts.tsx';
import { succeed } from '../../components/succeed.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { environmentLabels, kindLabels } from './words.ts';

interface Props {
  readonly systems: readonly SystemRow[];
  readonly onChange: (system: SystemRow) => void;
}

export function SystemsTable({ systems, onChange }: Props) {
  const to = useOrganizationPaths();
  const { canOperate } = useOrganization();
  const approve = useApproveSystem();
  const columns: Column<SystemRow>[] = [
    {
      key: 'name',
      header: 'System',
      render: ({ name, kind, environment }) => (
        <Stack gap={0} component="span">
          <span>{name}</span>
          <Text span size="xs" c="dimmed" fw={400}>
            {kindLabels[kind]}, {environmentLabels[environment].toLowerCase()}
          </Text>
        </Stack>
      ),
    },
    { key: 'score', header: 'Score', render: ({ score }) => <Score score={score} /> },
    { key: 'open', header: 'Open findings', render: row => <OpenFindings {...row} /> },
    {
      key: 'sources',
      header: 'Sources',
      align: 'right',
      render: ({ id, name, sources }) => (
        <Anchor
          component={Link}
          to={to.section('sources', { system_id: id })}
          size="sm"
          aria-label={`${sources} sources of ${name}`}
        >
          {sources}
        </Anchor>
      ),
    },
    {
      key: 'approved',
      header: 'Approval',
      render: system =>
        system.approved ? (
          <Group gap={4} wrap="nowrap">
            <IconCircleCheck size={16} aria-hidden color="var(--good)" />
            <Text span size="sm">
              Approved
            </Text>
          </Group>
        ) : (
          <Text span size="sm">
            Made by a key
          </Text>
        ),
    },
    ...(canOperate
      ? [
          {
            key: 'acts',
            header: 'Actions',
            actions: true,
            align: 'right' as const,
            render: (system: SystemRow) => (
              <Group gap={4} justify="flex-end" wrap="nowrap">
                {!system.approved && (
                  <Button
                    variant="subtle"
                    size="xs"
                    loading={approve.isPending && approve.variables === system.id}
                    onClick={() =>
                      approve.mutate(system.id, { onSuccess: () => succeed(`${system.name} is approved`) })
                    }
                  >
                    Approve
                  </Button>
                )}
                <Button variant="subtle" size="xs" onClick={() => onChange(system)}>
                  Change
                </Button>
              </Group>
            ),
          },
        ]
      : []),
  ];
  return (
    <DataTable
      caption="Systems"
      columns={columns}
      rows={systems}
      rowKey={system => system.id}
      href={system => to.section('findings', { system_id: system.id })}
    />
  );
}

/** With how many sources were never scanned: what is open counts nothing of these. */
function OpenFindings({ open, score, sources, not_scanned }: SystemRow) {
  return (
    <Stack gap={2} component="span">
      <SeverityCounts open={open} scanned={score !== null} />
      {score !== null && not_scanned > 0 && (
        <Text span size="xs" c="dimmed">
          {not_scanned} of {sources} sources not scanned
        </Text>
      )}
    </Stack>
  );
}
