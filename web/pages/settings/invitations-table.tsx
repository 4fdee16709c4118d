import { Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Invitation } from '../../../src/contract/dashboard/people.ts';
import { useRevokeInvitation } from '../../api/people.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { roleTexts } from './roles.ts';

/** Links that were handed out and not used yet. */
export function InvitationsTable({ invitations }: { readonly invitations: readonly Invitation[] }) {
  const [revoking, setRevoking] = useState<Invitation>();
  const revoke = useRevokeInvitation();
  const columns: Column<Invitation>[] = [
    { key: 'email', header: 'E-mail address', render: invitation => invitation.email },
    { key: 'role', header: 'Role', render: invitation => roleTexts[invitation.role].label },
    { key: 'by', header: 'Invited by', render: invitation => invitation.invited_by ?? 'The operator' },
    { key: 'expires', header: 'Expires', render: invitation => <RelativeTime at={invitation.expires_at} /> },
    {
      key: 'acts',
      header: 'Actions',
      actions: true,
      align: 'right',
      render: invitation => (
        <Button variant="subtle" size="xs" onClick={() => setRevoking(invitation)}>
          Revoke
        </Button>
      ),
    },
  ];
  return (
    <Stack gap="xs">
      <Title order={2}>Pending invitations</Title>
      {invitations.length === 0 ? (
        <Text c="dimmed">None. An invitation is a link that works once: you hand it over yourself.</Text>
      ) : (
        <DataTable
          caption="Pending invitations"
          columns={columns}
          rows={invitations}
          rowKey={invitation => invitation.id}
        />
      )}
      <ConfirmDialog
        opened={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title="Revoke the invitation?"
        confirmLabel="Revoke invitation"
        danger
        onConfirm={() => revoke.mutateAsync(revoking!.id)}
      >
        The link that {revoking?.email} was given stops working.
      </ConfirmDialog>
    </Stack>
  );
}
