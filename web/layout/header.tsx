import { ActionIcon, Button, Text } from '@mantine/core';
import {
  IconBuilding,
  IconCheck,
  IconLogout,
  IconMenu2,
  IconSelector,
  IconShieldLock,
  IconUserCircle,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { useOrganization, useSession, useSignOut } from '../api/session.ts';
import { MenuButton } from '../later/menu-button.tsx';
import { paths, useOrganizationPaths } from '../paths.ts';
import classes from './header.module.css';
import { Mark } from './mark.tsx';
import { ThemeMenu } from './theme-menu.tsx';

export function Header({ onMenu }: { readonly onMenu: () => void }) {
  const { id } = useOrganization();
  return (
    <header className={classes.header}>
      <div className={classes.burger}>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Open navigation" onClick={onMenu}>
          <IconMenu2 size={20} aria-hidden />
        </ActionIcon>
      </div>
      <Link to={paths.organization(id)} className={classes.brand} aria-label="Parapet overview">
        <Mark />
        <span>Parapet</span>
      </Link>
      <OrganizationSwitcher />
      <div className={classes.spacer} />
      <ThemeMenu />
      <PersonMenu />
    </header>
  );
}

function PersonMenu() {
  const { person } = useSession();
  const { section } = useOrganizationPaths();
  const signOut = useSignOut();
  return (
    <MenuButton
      position="bottom-end"
      width={240}
      withinPortal={false}
      returnFocus
      button={
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Signed in as ${person?.name}`}>
          <IconUserCircle size={20} stroke={1.6} aria-hidden />
        </ActionIcon>
      }
    >
      {Menu => (
        <>
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
        </>
      )}
    </MenuButton>
  );
}

/** Shows the current organization, and switches to another. */
function OrganizationSwitcher() {
  const { organizations } = useSession();
  const current = useOrganization();
  return (
    <MenuButton
      position="bottom-start"
      width="target"
      styles={{ dropdown: { minWidth: 240 } }}
      withinPortal={false}
      returnFocus
      button={
        <Button
          variant="subtle"
          color="gray"
          className={classes.organization ?? ''}
          // Truncated to one line; the menu has the whole name.
          styles={{ label: { whiteSpace: 'nowrap', lineHeight: 1.6 } }}
          leftSection={<IconBuilding size={16} aria-hidden />}
          rightSection={<IconSelector size={14} aria-hidden />}
          aria-label={`Switch organization: ${current.name}`}
        >
          {current.name}
        </Button>
      }
    >
      {Menu => (
        <>
          <Menu.Label>Organizations</Menu.Label>
          {organizations.map(({ id, name, role }) => (
            <Menu.Item
              key={id}
              component={Link}
              to={paths.organization(id)}
              aria-current={id === current.id}
              rightSection={id === current.id ? <IconCheck size={14} aria-hidden /> : role}
            >
              {name}
            </Menu.Item>
          ))}
        </>
      )}
    </MenuButton>
  );
}
