import { Text } from '@mantine/core';
import type { AuditEntry } from '../../../src/contract/dashboard/audit.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import classes from './audit.module.css';
import { actionWords, actorName, objectName } from './words.ts';

const columns: readonly Column<AuditEntry>[] = [
  {
    key: 'what',
    header: 'Who did what',
    render: entry => (
      <span className={classes.sentence}>
        <Text span fw={600} inherit>
          {actorName(entry)}
        </Text>{' '}
        <Text span fw={400} inherit>
          {actionWords(entry)}
        </Text>{' '}
        {objectName(entry)}
      </span>
    ),
  },
  {
    key: 'when',
    header: 'When',
    width: 140,
    render: ({ occurred_at }) => <RelativeTime at={occurred_at} />,
  },
  {
    key: 'where',
    header: 'From',
    width: 170,
    render: ({ address }) => (
      <Text span size="sm" ff="monospace" className={classes.sentence}>
        {address ?? '–'}
      </Text>
    ),
  },
  {
    key: 'number',
    header: 'Entry',
    width: 80,
    align: 'right',
    wideOnly: true,
    render: ({ sequence }) => <span className="tabular">{sequence.toLocaleString()}</span>,
  },
];

interface Props {
  readonly entries: readonly AuditEntry[];
  readonly activeSequence: number | undefined;
  readonly onOpen: (entry: AuditEntry) => void;
}

export function AuditTable({ entries, activeSequence, onOpen }: Props) {
  return (
    <DataTable
      caption="Audit log"
      columns={columns}
      rows={entries}
      rowKey={entry => String(entry.sequence)}
      activeKey={activeSequence === undefined ? undefined : String(activeSequence)}
      onOpen={onOpen}
    />
  );
}
