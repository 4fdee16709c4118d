import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Channel } from '../../../src/contract/dashboard/notifications.ts';
import { useDeleteChannel, useTestChannel } from '../../api/notifications.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { Mono } from '../../components/mono.tsx';
import { notify } from '../../components/notify.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RowAction, RowActions } from '../../components/row-actions.tsx';
import type { Column } from '../../components/table-column.ts';
import { FormError } from '../../forms/form-error.tsx';
import {
  digestLabels,
  formatLabels,
  kindLabels,
  messageState,
  severityLabels,
} from './notification-labels.ts';

const columns: Column<Channel>[] = [
  {
    header: 'Channel',
    render: ({ name, format, host }) => (
      <div>
        <Text fw={600}>{name}</Text>
        <Dimmed size="xs">
          {formatLabels[format]}, <Mono size="xs">{host}</Mono>
        </Dimmed>
      </div>
    ),
  },
  { header: 'Gets', wideOnly: true, render: channel => <Gets channel={channel} /> },
  {
    header: 'Last message',
    render: ({ last_message: last }) =>
      last === null ? (
        'None yet'
      ) : (
        <Stack gap={0}>
          <Text size="sm" role="status">
            {messageState(last)}
          </Text>
          <Dimmed size="xs">
            <RelativeTime at={last.sent_at ?? last.created_at} />
          </Dimmed>
        </Stack>
      ),
  },
];

function Gets({ channel: { kinds, severity, digest } }: { readonly channel: Channel }) {
  const parts = kinds.map(kind =>
    kind === 'new_findings'
      ? `${kindLabels[kind].label} (${severityLabels[severity].toLowerCase()})`
      : kindLabels[kind].label,
  );
  if (digest !== 'none') parts.push(`Summary ${digestLabels[digest].toLowerCase()}`);
  return <Text size="sm">{parts.length === 0 ? 'Nothing' : parts.join(', ')}</Text>;
}

interface Props {
  readonly channels: readonly Channel[];
  readonly onEdit: (channel: Channel) => void;
}

export function ChannelsTable({ channels, onEdit }: Props) {
  const test = useTestChannel();
  const remove = useDeleteChannel();
  const [deleting, setDeleting] = useState<Channel>();
  return (
    <>
      <FormError error={test.error} />
      <DataTable
        caption="Chat channels"
        columns={columns}
        rows={channels}
        rowKey={({ id }) => id}
        actions={channel => (
          <RowActions>
            <RowAction onClick={() => test.mutate(channel.id)}>Send test message</RowAction>
            <RowAction onClick={() => onEdit(channel)}>Edit</RowAction>
            <RowAction onClick={() => setDeleting(channel)}>Delete</RowAction>
          </RowActions>
        )}
      />
      <ConfirmDialog
        opened={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title={`Delete ${deleting?.name ?? 'this channel'}?`}
        confirmLabel="Delete channel"
        danger
        onConfirm={async () => {
          await remove.mutateAsync(deleting!.id);
          notify('Channel deleted');
        }}
      >
        Nothing more is posted there. The URL of the webhook is deleted from Parapet. Remove the webhook in
        your chat system as well.
      </ConfirmDialog>
    </>
  );
}
