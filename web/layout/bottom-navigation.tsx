import { IconDots } from '@tabler/icons-react';
import { NavLink } from 'react-router';
import { useOrganization } from '../api/session.ts';
import { paths } from '../paths.ts';
import classes from './layout.module.css';
import { navigation, onThePhone } from './sections.ts';

/** What is needed most, in reach of a thumb. */
export function BottomNavigation({ onMore }: { readonly onMore: () => void }) {
  const { id } = useOrganization();
  const entries = navigation.flatMap(group => group.entries);
  return (
    <nav aria-label="Shortcuts" className={classes.bottom}>
      {onThePhone.map(wanted => {
        const { section, label, icon: Icon } = entries.find(entry => entry.section === wanted)!;
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
