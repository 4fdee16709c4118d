import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { Channel, ChannelFormat, NoticeKind } from '../../../src/contract/dashboard/notifications.ts';
import { useChangeChannel, useCreateChannel } from '../../api/notifications.ts';
import { choicesOf } from '../../components/choices.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useField } from '../../forms/use-field.ts';
import { Select } from '../../later/select-field.tsx';
import { type Choices, NotificationChoices } from './notification-choices.tsx';
import { formatLabels } from './notification-labels.ts';
import { TimeZoneField } from './time-zone-field.tsx';

/** Kinds for a channel. Backups are those of the whole installation, which concern owners only. */
const kinds = [
  'new_findings',
  'scan_failed',
  'source_failing',
  'agent_silent',
  'key_expiring',
  'attestation_ending',
] as const satisfies readonly NoticeKind[];
const usual: readonly NoticeKind[] = ['new_findings', 'scan_failed', 'source_failing', 'agent_silent'];

interface Props {
  /** The channel to change; none to add one. */
  readonly channel?: Channel;
  readonly onClose: () => void;
}

export default function ChannelDialog({ channel, onClose }: Props) {
  const create = useCreateChannel();
  const change = useChangeChannel();
  const mutation = channel ? change : create;
  const name = useField('name', channel?.name);
  const url = useField('url');
  const [format, setFormat] = useState<ChannelFormat>(channel?.format ?? 'slack');
  const [zone, setZone] = useState(
    () => channel?.time_zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  const [choices, setChoices] = useState<Choices>({
    kinds: channel?.kinds ?? usual,
    severity: channel?.severity ?? 'high',
    digest: channel?.digest ?? 'none',
  });
  const body = {
    name: name.value,
    format,
    time_zone: zone,
    ...choices,
    kinds: [...choices.kinds],
  };
  return (
    <FormDialog
      title={channel ? 'Edit channel' : 'Add channel'}
      submitLabel={channel ? 'Save channel' : 'Add channel'}
      mutation={mutation}
      done={channel ? 'Channel saved' : 'Channel added. Send a test message to check it.'}
      onSubmit={options =>
        channel
          ? change.mutate({ id: channel.id, ...body, ...(url.value ? { url: url.value } : {}) }, options)
          : create.mutate({ ...body, url: url.value }, options)
      }
      onClose={onClose}
    >
      <Stack gap="md">
        <Select
          label="Chat system"
          allowDeselect={false}
          data={choicesOf(formatLabels)}
          value={format}
          onChange={value => setFormat(value as ChannelFormat)}
        />
        <TextField
          label="Name"
          description="For example the name of the channel"
          required
          maxLength={100}
          error={mutation.error}
          {...name}
        />
        <TextField
          label="Webhook URL"
          description={
            channel
              ? 'Stored encrypted and not shown. Leave empty to keep it.'
              : 'Stored encrypted and not shown again.'
          }
          type="url"
          required={!channel}
          maxLength={2000}
          autoComplete="off"
          spellCheck={false}
          error={mutation.error}
          {...url}
        />
        <NotificationChoices value={choices} onChange={setChoices} kinds={kinds} />
        <TimeZoneField value={zone} onChange={setZone} error={mutation.error} />
        <Dimmed>
          Everyone in the channel can read what is posted, also people without an account here. You'll be
          asked to confirm it's you, unless you did so in the last five minutes.
        </Dimmed>
      </Stack>
    </FormDialog>
  );
}
