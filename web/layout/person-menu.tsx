import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconLogout, IconShieldLock, IconUserCircle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useSession, useSignOut } from '../api/session.ts';
import { useOrganizationPaths } from '../paths.ts';

export function PersonMenu() {
  const { person } = useSession();
  const { section } = useOrganizationPaths();
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={240} withinPortal={false} returnFocus>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Signed in as ${person?.name}`}>
          <IconUserCircle size={20} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {person?.name}
          </Text>
          <Text size="xs" truncate>
            {person?.email}
          </Text>
        </Menu.Label>
        <Menu.Item
          component={Link}
          to={section('settings/security')}
          leftSection={<IconShieldLock size={16} aria-hidden />}
        >
          Security and sessions
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
