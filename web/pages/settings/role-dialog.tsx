import { useState } from 'react';
import type { Person } from '../../../src/contract/dashboard/people.ts';
import type { Role } from '../../../src/contract/dashboard/session.ts';
import { useChangeRole } from '../../api/people.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { RoleChoice } from './role-choice.tsx';

export default function RoleDialog({
  person,
  onClose,
}: {
  readonly person: Person;
  readonly onClose: () => void;
}) {
  const [role, setRole] = useState<Role>(person.role);
  const change = useChangeRole();
  return (
    <FormDialog
      title={`Change role of ${person.name}`}
      submitLabel="Change role"
      mutation={change}
      disabled={role === person.role}
      onSubmit={options => change.mutate({ id: person.id, role }, options)}
      done="Role changed"
      onClose={onClose}
    >
      <RoleChoice value={role} onChange={setRole} />
    </FormDialog>
  );
}
