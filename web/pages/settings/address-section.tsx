import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { Notifications, SentMessage } from '../../../src/contract/dashboard/notifications.ts';
import { useConfirmAddress, useSendMessage } from '../../api/notifications.ts';
import { notify } from '../../components/notify.ts';
import { Section } from '../../components/section.tsx';
import { handleSubmit } from '../../forms/form.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useField } from '../../forms/use-field.ts';
import { messageState } from './notification-labels.ts';

interface Props {
  readonly mail: Notifications['mail'];
  readonly messages: readonly SentMessage[];
}

/** The address of the account, to which nothing is sent before it is confirmed: it may have been mistyped. */
export function AddressSection({ mail, messages }: Props) {
  const { address, confirmed, configured } = mail;
  return (
    <Section
      title="Address"
      description={
        confirmed
          ? 'Notifications go to the address of your account.'
          : 'Confirm the address of your account to get notifications there.'
      }
    >
      <Stack gap="sm">
        <Group gap="xs">
          <Text fw={600}>{address}</Text>
          <Badge color={confirmed ? 'teal' : 'orange'} variant="light">
            {confirmed ? 'Confirmed' : 'Not confirmed'}
          </Badge>
        </Group>
        {configured && (confirmed ? <Test messages={messages} /> : <Confirm messages={messages} />)}
      </Stack>
    </Section>
  );
}

const newest = (messages: readonly SentMessage[], purpose: SentMessage['purpose']) =>
  messages.find(message => message.purpose === purpose);

function Test({ messages }: Pick<Props, 'messages'>) {
  const send = useSendMessage('test');
  const last = newest(messages, 'test');
  return (
    <>
      <Group gap="sm">
        <Button variant="default" loading={send.isPending} onClick={() => send.mutate(undefined)}>
          Send test message
        </Button>
        <Text size="sm" role="status">
          {last && messageState(last)}
        </Text>
      </Group>
      <FormError error={send.error} />
    </>
  );
}

function Confirm({ messages }: Pick<Props, 'messages'>) {
  const send = useSendMessage('code');
  const confirm = useConfirmAddress();
  const code = useField('code');
  const last = newest(messages, 'code');
  if (!last) {
    return (
      <>
        <Button w="fit-content" loading={send.isPending} onClick={() => send.mutate(undefined)}>
          Send confirmation code
        </Button>
        <FormError error={send.error} />
      </>
    );
  }
  return (
    <form
      onSubmit={handleSubmit(() =>
        confirm.mutate(code.value.trim(), { onSuccess: () => notify('Address confirmed') }),
      )}
    >
      <Stack gap="xs">
        <Text size="sm" role="status">
          Code: {messageState(last).toLowerCase()}. It's valid for 30 minutes.
        </Text>
        <Group align="flex-end" gap="xs">
          <TextField
            label="Confirmation code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={6}
            w={180}
            error={confirm.error}
            {...code}
          />
          <Button type="submit" loading={confirm.isPending}>
            Confirm
          </Button>
          <Button variant="default" loading={send.isPending} onClick={() => send.mutate(undefined)}>
            Send new code
          </Button>
        </Group>
        <FormError error={confirm.error ?? send.error} />
      </Stack>
    </form>
  );
}
