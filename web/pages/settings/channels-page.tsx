import { Button } from '@mantine/core';
import { IconMessage, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Channel } from '../../../src/contract/dashboard/notifications.ts';
import { useChannels } from '../../api/notifications.ts';
import { useOrganization } from '../../api/session.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { laterPart } from '../../later/later.ts';
import { NotFound } from '../not-found.tsx';
import { ChannelsTable } from './channels-table.tsx';

const ChannelDialog = laterPart(() => import('./channel-dialog.tsx'));

export default function ChannelsPage() {
  const { canOperate } = useOrganization();
  return canOperate ? <Channels /> : <NotFound />;
}

function Channels() {
  const channels = useChannels();
  const [editing, setEditing] = useState<Channel | 'new'>();
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
      Add channel
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Chat channels"
        description="Alerts and summaries for everyone in a channel of Slack, Microsoft Teams, Mattermost, Google Chat or Discord."
        actions={add}
      />
      <Loaded query={channels}>
        {({ channels: rows }) =>
          rows.length > 0 ? (
            <ChannelsTable channels={rows} onEdit={setEditing} />
          ) : (
            <EmptyState icon={IconMessage} title="No channels yet" action={add}>
              Create an incoming webhook in your chat system, then add its URL here.
            </EmptyState>
          )
        }
      </Loaded>
      {editing && (
        <ChannelDialog
          {...(editing === 'new' ? {} : { channel: editing })}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  );
}
