import { Button, Menu } from '@mantine/core';
import { IconBuilding, IconCheck, IconSelector } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useOrganization, useSession } from '../api/session.ts';
import { paths } from '../paths.ts';
import classes from './header.module.css';

/** Shows the current organization, and switches to another. */
export function OrganizationSwitcher() {
  const { organizations } = useSession();
  const current = useOrganization();
  return (
    <Menu position="bottom-start" width="target" withinPortal={false} returnFocus>
      <Menu.Target>
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
      </Menu.Target>
      <Menu.Dropdown miw={240}>
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
      </Menu.Dropdown>
    </Menu>
  );
}
