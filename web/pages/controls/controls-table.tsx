import { Stack, Text } from '@mantine/core';
import type { Control } from '../../../src/contract/dashboard/controls.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { Column } from '../../components/table-column.ts';
import classes from './controls.module.css';

const columns: readonly Column<Control>[] = [
  {
    header: 'Control',
    render: ({ citation, title, standard }) => (
      <Stack gap={0} component="span" className={standard ? classes.specification : undefined}>
        <Text span fw={standard ? 400 : 600} inherit>
          {title}
        </Text>
        <Dimmed span size="xs" fw={400} className="tabular">
          {citation}
        </Dimmed>
      </Stack>
    ),
  },
  { header: 'Status', width: 170, render: ({ state }) => <StatusBadge status={state} /> },
  {
    header: 'Reason',
    width: '32%',
    render: ({ reasons, has_note }) => (
      <Dimmed span>
        {reasons.slice(0, 2).join(' ')}
        {has_note && ' Has a note.'}
      </Dimmed>
    ),
  },
  {
    header: 'Requirement',
    width: 110,
    wideOnly: true,
    render: ({ requirement }) => (requirement === 'required' ? 'Required' : 'Addressable'),
  },
  {
    header: 'Open findings',
    width: 110,
    align: 'right',
    wideOnly: true,
    render: ({ open }) => (
      <Text span inherit className="tabular" {...(open === 0 ? { c: 'dimmed' } : {})}>
        {open.toLocaleString()}
      </Text>
    ),
  },
];

interface Props {
  readonly caption: string;
  readonly controls: readonly Control[];
  readonly activeCitation: string | undefined;
  readonly onOpen: (citation: string) => void;
}

/** The controls of a section: each standard, followed by its specifications. */
export function ControlsTable({ caption, controls, activeCitation, onOpen }: Props) {
  return (
    <DataTable
      caption={caption}
      columns={columns}
      rows={controls}
      rowKey={control => control.citation}
      activeKey={activeCitation}
      onOpen={control => onOpen(control.citation)}
    />
  );
}
