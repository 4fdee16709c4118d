import { Text } from '@mantine/core';
import type { AuditEntry } from '../../../src/contract/dashboard/audit.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Mono } from '../../components/mono.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-column.ts';
import classes from './audit.module.css';
import { actionText, actorText, targetText } from './entry-text.ts';

const columns: readonly Column<AuditEntry>[] = [
  {
    header: 'Activity',
    render: entry => (
      <span className={classes.sentence}>
        <Text span fw={600} inherit>
          {actorText(entry)}
        </Text>{' '}
        <Text span fw={400} inherit>
          {actionText(entry)}
        </Text>{' '}
        {targetText(entry)}
      </span>
    ),
  },
  { header: 'Time', width: 140, render: ({ occurred_at }) => <RelativeTime at={occurred_at} /> },
  { header: 'IP address', width: 170, render: ({ address }) => <Mono>{address ?? '–'}</Mono> },
  {
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
