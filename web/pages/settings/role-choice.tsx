import { Radio, Stack } from '@mantine/core';
import type { Role } from '../../../src/contract/dashboard/session.ts';
import { useOrganization } from '../../api/session.ts';
import { rolesToGive, roleTexts } from './roles.ts';

interface Props {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
}

/** One of the roles that the person may give. */
export function RoleChoice({ value, onChange }: Props) {
  const { role: own } = useOrganization();
  return (
    <Radio.Group label="Role" value={value} onChange={role => onChange(role as Role)}>
      <Stack gap="xs" mt="xs">
        {rolesToGive(own).map(role => (
          <Radio key={role} value={role} {...roleTexts[role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
