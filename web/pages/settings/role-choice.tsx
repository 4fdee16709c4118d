import { Radio, Stack } from '@mantine/core';
import type { Role } from '../../../src/contract/dashboard/session.ts';
import { useOrganization } from '../../api/session.ts';
import { assignableRoles } from '../../permissions.ts';
import { roleLabels } from './role-labels.ts';

interface Props {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
}

/** One of the roles that the person may assign. */
export function RoleChoice({ value, onChange }: Props) {
  const { role: own } = useOrganization();
  return (
    <Radio.Group label="Role" value={value} onChange={role => onChange(role as Role)}>
      <Stack gap="xs" mt="xs">
        {assignableRoles(own).map(role => (
          <Radio key={role} value={role} {...roleLabels[role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
