import { Button, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Person } from '../../../src/contract/dashboard/people.ts';
import type { Role } from '../../../src/contract/dashboard/session.ts';
import { useChangeRole } from '../../api/people.ts';
import { succeed } from '../../components/succeed.ts';
import { FormError } from '../../forms/form-error.tsx';
import { RoleChoice } from './role-choice.tsx';

export function RoleDialog({ person, onClose }: { readonly person: Person; readonly onClose: () => void }) {
  const [role, setRole] = useState<Role>(person.role);
  const change = useChangeRole();
  const save = () =>
    change.mutate(
      { id: person.id, role },
      {
        onSuccess: () => {
          succeed('Role changed');
          onClose();
        },
      },
    );
  return (
    <Modal opened onClose={onClose} title={`Role of ${person.name}`}>
      <Stack>
        <RoleChoice value={role} onChange={setRole} />
        <FormError error={change.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={save} loading={change.isPending} disabled={role === person.role}>
            Change role
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
