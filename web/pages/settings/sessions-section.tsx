import { Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { BrowserSession } from '../../../src/contract/dashboard/session.ts';
import { useEndOtherSessions, useEndSession } from '../../api/account.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { succeed } from '../../components/succeed.ts';
import { nameOfBrowser } from './name-of-browser.ts';
import classes from './settings.module.css';

/** Where the account is open: what one does not know is ended with one click. */
export function SessionsSection({ sessions }: { readonly sessions: readonly BrowserSession[] }) {
  const [asking, setAsking] = useState(false);
  const end = useEndSession();
  const endOthers = useEndOtherSessions();
  return (
    <Section
      title="Sessions"
      description="Browsers that are signed in. End those that you do not know, then change your password."
      actions={
        sessions.length > 1 && (
          <Button variant="default" onClick={() => setAsking(true)}>
            End all others
          </Button>
        )
      }
    >
      <ul className={classes.rows} aria-label="Sessions">
        {sessions.map(session => (
          <li key={session.id}>
            <div>
              <Group gap="xs">
                <Text fw={600}>{nameOfBrowser(session.user_agent)}</Text>
                {session.current && <Badge>This one</Badge>}
              </Group>
              <Text size="sm" c="dimmed">
                {session.address}, signed in <RelativeTime at={session.created_at} />, last seen{' '}
                <RelativeTime at={session.last_seen_at} />
              </Text>
            </div>
            {!session.current && (
              <Button
                variant="subtle"
                size="xs"
                loading={end.isPending && end.variables === session.id}
                onClick={() => end.mutate(session.id, { onSuccess: () => succeed('Session ended') })}
              >
                End session
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title="End all other sessions?"
        confirmLabel="End all others"
        danger
        onConfirm={() => endOthers.mutateAsync()}
      >
        Every browser but this one has to sign in again.
      </ConfirmDialog>
    </Section>
  );
}
