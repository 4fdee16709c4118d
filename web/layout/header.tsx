import { ActionIcon } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useOrganization } from '../api/session.ts';
import { paths } from '../paths.ts';
import classes from './header.module.css';
import { Mark } from './mark.tsx';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { PersonMenu } from './person-menu.tsx';
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
