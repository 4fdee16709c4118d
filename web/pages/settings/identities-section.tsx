import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { LinkedIdentity } from '../../../src/contract/dashboard/session.ts';
import { useUnlinkProvider } from '../../api/account.ts';
import { apiUrl } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RowList } from '../../components/row-list.tsx';
import { Section } from '../../components/section.tsx';

/** Accounts at the provider that can sign in to this account. */
export function IdentitiesSection({ identities }: { readonly identities: readonly LinkedIdentity[] }) {
  const { oidc_provider: provider } = useSession();
  const [unlinking, setUnlinking] = useState<LinkedIdentity>();
  const unlink = useUnlinkProvider();
  if (!provider && identities.length === 0) return null;
  const name = provider ?? 'Sign-in provider';
  return (
    <Section
      title={name}
      description={
        identities.length > 0
          ? `You can sign in with ${name}.`
          : `Not linked. Link your ${name} account to sign in with it.`
      }
      actions={
        provider && (
          <Button variant="default" component="a" href={apiUrl('/oidc/begin?purpose=link')}>
            Link {provider}
          </Button>
        )
      }
    >
      {identities.length > 0 && (
        <RowList label="Linked accounts">
          {identities.map(identity => (
            <li key={identity.id}>
              <div>
                <Text fw={600}>{identity.email ?? identity.issuer}</Text>
                <Dimmed>
                  Linked <RelativeTime at={identity.created_at} />
                </Dimmed>
              </div>
              <Button variant="subtle" size="xs" onClick={() => setUnlinking(identity)}>
                Unlink
              </Button>
            </li>
          ))}
        </RowList>
      )}
      <ConfirmDialog
        opened={unlinking !== undefined}
        onClose={() => setUnlinking(undefined)}
        title="Unlink this account?"
        confirmLabel="Unlink account"
        danger
        onConfirm={() => unlink.mutateAsync(unlinking?.id ?? '')}
      >
        {unlinking?.email ?? 'It'} can no longer sign in to your Parapet account.
      </ConfirmDialog>
    </Section>
  );
}
