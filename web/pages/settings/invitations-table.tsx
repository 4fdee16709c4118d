import { Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Invitation } from '../../../src/contract/dashboard/people.ts';
import { useRevokeInvitation } from '../../api/people.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RowAction } from '../../components/row-actions.tsx';
import type { Column } from '../../components/table-column.ts';
import { roleLabels } from './role-labels.ts';

/** Invitations that are not accepted yet. */
export function InvitationsTable({ invitations }: { readonly invitations: readonly Invitation[] }) {
  const [revoking, setRevoking] = useState<Invitation>();
  const revoke = useRevokeInvitation();
  const columns: Column<Invitation>[] = [
    { header: 'Email', render: ({ email }) => email },
    { header: 'Role', render: ({ role }) => roleLabels[role].label },
    { header: 'Invited by', render: ({ invited_by }) => invited_by ?? 'Operator' },
    { header: 'Expires', render: ({ expires_at }) => <RelativeTime at={expires_at} /> },
  ];
  return (
    <Stack gap="xs">
      <Title order={2}>Pending invitations</Title>
      {invitations.length === 0 ? (
        <Text c="dimmed">
          No pending invitations. Invite people to create a one-time link that you send yourself.
        </Text>
      ) : (
        <DataTable
          caption="Pending invitations"
          columns={columns}
          rows={invitations}
          rowKey={invitation => invitation.id}
          actions={invitation => <RowAction onClick={() => setRevoking(invitation)}>Revoke</RowAction>}
        />
      )}
      <ConfirmDialog
        opened={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title="Revoke invitation?"
        confirmLabel="Revoke invitation"
        danger
        onConfirm={() => revoke.mutateAsync(revoking!.id)}
      >
        The link for {revoking?.email} stops working.
      </ConfirmDialog>
    </Stack>
  );
}
