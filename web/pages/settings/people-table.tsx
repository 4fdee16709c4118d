import { Badge, Group, Text } from '@mantine/core';
import { IconShieldCheck, IconShieldOff } from '@tabler/icons-react';
import { useState } from 'react';
import type { Person } from '../../../src/contract/dashboard/people.ts';
import { useLeave, useRemovePerson } from '../../api/people.ts';
import { useOrganization, useSession } from '../../api/session.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RowAction, RowActions } from '../../components/row-actions.tsx';
import type { Column } from '../../components/table-column.ts';
import { laterPart } from '../../later/later.ts';
import { canManage } from '../../permissions.ts';
import { roleLabels } from './role-labels.ts';
import classes from './settings.module.css';

const RoleDialog = laterPart(() => import('./role-dialog.tsx'));

interface Dialog {
  readonly kind: 'role' | 'remove' | 'leave';
  readonly person: Person;
}

export function PeopleTable({ people }: { readonly people: readonly Person[] }) {
  const { person: self } = useSession();
  const { role: own, name: organization } = useOrganization();
  const [dialog, setDialog] = useState<Dialog>();
  const remove = useRemovePerson();
  const leave = useLeave();
  const close = () => setDialog(undefined);

  const columns: Column<Person>[] = [
    {
      header: 'Name',
      render: person => (
        <div>
          <Group gap="xs">
            <Text fw={600}>{person.name}</Text>
            {person.id === self?.id && <Badge>You</Badge>}
          </Group>
          <Dimmed>{person.email}</Dimmed>
        </div>
      ),
    },
    { header: 'Role', render: ({ role }) => roleLabels[role].label },
    {
      header: 'Second factor',
      render: ({ second_factor }) => (
        <span className={classes.withIcon}>
          {second_factor ? (
            <IconShieldCheck size={16} color="var(--good)" aria-hidden />
          ) : (
            <IconShieldOff size={16} color="var(--severity-medium)" aria-hidden />
          )}
          {second_factor ? 'Set up' : 'Not set up'}
        </span>
      ),
    },
    {
      header: 'Last seen',
      render: ({ last_seen_at }) => (last_seen_at ? <RelativeTime at={last_seen_at} /> : 'Never'),
    },
    { header: 'Joined', wideOnly: true, render: ({ joined_at }) => <RelativeTime at={joined_at} /> },
  ];
  const actions = (person: Person) => (
    <RowActions>
      {canManage(own, person.role) && (
        <RowAction onClick={() => setDialog({ kind: 'role', person })}>Change role</RowAction>
      )}
      {person.id === self?.id ? (
        <RowAction onClick={() => setDialog({ kind: 'leave', person })}>Leave</RowAction>
      ) : (
        canManage(own, person.role) && (
          <RowAction onClick={() => setDialog({ kind: 'remove', person })}>Remove</RowAction>
        )
      )}
    </RowActions>
  );
  return (
    <>
      <DataTable
        caption="People"
        columns={columns}
        rows={people}
        rowKey={person => person.id}
        actions={actions}
      />
      {dialog?.kind === 'role' && <RoleDialog person={dialog.person} onClose={close} />}
      <ConfirmDialog
        opened={dialog?.kind === 'remove'}
        onClose={close}
        title={`Remove ${dialog?.person.name}?`}
        confirmLabel="Remove person"
        danger
        onConfirm={() => remove.mutateAsync(dialog!.person.id)}
      >
        They lose access immediately. Their actions stay in the audit log. API keys they created keep working:
        revoke any that only they knew.
      </ConfirmDialog>
      <ConfirmDialog
        opened={dialog?.kind === 'leave'}
        onClose={close}
        title={`Leave ${organization}?`}
        confirmLabel="Leave organization"
        danger
        onConfirm={() => leave.mutateAsync(undefined)}
      >
        You lose access immediately. To return, you need a new invitation.
      </ConfirmDialog>
    </>
  );
}
