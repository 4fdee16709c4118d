import { IconDots } from '@tabler/icons-react';
import { NavLink } from 'react-router';
import { useOrganization } from '../api/session.ts';
import { paths } from '../paths.ts';
import classes from './navigation.module.css';
import { navigation, phoneSections } from './sections.ts';

/** The main sections at the bottom of a phone; the others open with `More`. */
export function BottomNavigation({ onMore }: { readonly onMore: () => void }) {
  const { id } = useOrganization();
  const entries = navigation.flatMap(group => group.entries);
  return (
    <nav aria-label="Shortcuts" className={classes.bottom}>
      {phoneSections.map(shown => {
        const { section, label, icon: Icon } = entries.find(entry => entry.section === shown)!;
        return (
          <NavLink key={section} to={paths.section(id, section)} className={classes.tab ?? ''}>
            <Icon size={20} stroke={1.6} aria-hidden />
            {label}
          </NavLink>
        );
      })}
      <button type="button" className={classes.tab} onClick={onMore}>
        <IconDots size={20} stroke={1.6} aria-hidden />
        More
      </button>
    </nav>
  );
}
