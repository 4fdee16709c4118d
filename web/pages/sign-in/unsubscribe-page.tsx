import { Button, Stack, Text } from '@mantine/core';
import { useUnsubscribe } from '../../api/notifications.ts';
import { FormError } from '../../forms/form-error.tsx';
import { Entrance } from './entrance.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Turns off notifications with the link of a mail, without signing in. */
export default function UnsubscribePage() {
  const token = useLinkToken();
  const unsubscribe = useUnsubscribe();
  const { data } = unsubscribe;
  if (data) {
    return (
      <Entrance title="You're unsubscribed">
        <Text role="status">
          {data.address} gets no more notifications about {data.organization}. To turn them on again, sign in
          and open Settings, Notifications.
        </Text>
      </Entrance>
    );
  }
  return (
    <Entrance title="Unsubscribe">
      <Stack>
        <Text>Turn off all notifications of this organization that Parapet sends to your address?</Text>
        <FormError error={unsubscribe.error} />
        <Button loading={unsubscribe.isPending} onClick={() => unsubscribe.mutate(token)}>
          Unsubscribe
        </Button>
      </Stack>
    </Entrance>
  );
}
