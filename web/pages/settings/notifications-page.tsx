import { Alert, Stack } from '@mantine/core';
import { useNotifications } from '../../api/notifications.ts';
import { CardSkeleton, Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { AddressSection } from './address-section.tsx';
import { QuietSection } from './quiet-section.tsx';
import { SentSection } from './sent-section.tsx';
import { SubscriptionsSection } from './subscriptions-section.tsx';

/** What the signed-in person gets by mail. */
export default function NotificationsPage() {
  const notifications = useNotifications();
  return (
    <>
      <PageHeader
        title="Notifications"
        description="What Parapet sends you by email, and when. Only you see and change these settings."
      />
      <Loaded query={notifications} skeleton={<Skeletons />}>
        {found => (
          <Stack gap="md" maw={820}>
            {!found.mail.configured && (
              <Alert color="orange" variant="light" title="Email isn't set up">
                The operator of this service hasn't set up a mail server (PARAPET_SMTP_URL). You can choose
                your settings now: they apply once it is.
              </Alert>
            )}
            <AddressSection mail={found.mail} messages={found.messages} />
            <SubscriptionsSection notifications={found} />
            <QuietSection preferences={found.preferences} />
            <SentSection messages={found.messages} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function Skeletons() {
  return (
    <Stack gap="md" maw={820}>
      <CardSkeleton height={130} />
      <CardSkeleton height={520} />
      <CardSkeleton height={200} />
    </Stack>
  );
}
