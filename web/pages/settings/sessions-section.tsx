import { Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { BrowserSession } from '../../../src/contract/dashboard/session.ts';
import { useEndOtherSessions, useEndSession } from '../../api/account.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { notify } from '../../components/notify.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RowList } from '../../components/row-list.tsx';
import { Section } from '../../components/section.tsx';
import { browserName } from '../../formats/user-agent.ts';

export function SessionsSection({ sessions }: { readonly sessions: readonly BrowserSession[] }) {
  const [confirming, setConfirming] = useState(false);
  const end = useEndSession();
  const endOthers = useEndOtherSessions();
  return (
    <Section
      title="Sessions"
      description="Browsers signed in to your account. End any you don't recognize, then change your password."
      actions={
        sessions.length > 1 && (
          <Button variant="default" onClick={() => setConfirming(true)}>
            End all other sessions
          </Button>
        )
      }
    >
      <RowList label="Sessions">
        {sessions.map(session => (
          <li key={session.id}>
            <div>
              <Group gap="xs">
                <Text fw={600}>{browserName(session.user_agent)}</Text>
                {session.current && <Badge>This browser</Badge>}
              </Group>
              <Dimmed>
                {session.address}, signed in <RelativeTime at={session.created_at} />, last active{' '}
                <RelativeTime at={session.last_seen_at} />
              </Dimmed>
            </div>
            {!session.current && (
              <Button
                variant="subtle"
                size="xs"
                loading={end.isPending && end.variables === session.id}
                onClick={() => end.mutate(session.id, { onSuccess: () => notify('Session ended') })}
              >
                End session
              </Button>
            )}
          </li>
        ))}
      </RowList>
      <ConfirmDialog
        opened={confirming}
        onClose={() => setConfirming(false)}
        title="End all other sessions?"
        confirmLabel="End all other sessions"
        danger
        onConfirm={() => endOthers.mutateAsync()}
      >
        All browsers except this one have to sign in again.
      </ConfirmDialog>
    </Section>
  );
}
