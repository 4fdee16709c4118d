import { NavLink } from 'react-router';
import { useOrganization } from '../api/session.ts';
import { paths } from '../paths.ts';
import classes from './navigation.module.css';
import { navigation } from './sections.ts';

/** All sections that the person's role has access to. */
export function SideNavigation({ onNavigate }: { readonly onNavigate?: () => void }) {
  const { id, canOperate } = useOrganization();
  return (
    <nav aria-label="Main">
      {navigation.map(({ label, entries }) => (
        <div key={label} className={classes.group}>
          <h2 className={classes.groupLabel}>{label}</h2>
          <ul>
            {entries
              .filter(({ operatorsOnly }) => canOperate || !operatorsOnly)
              .map(({ section, label, icon: Icon }) => (
                <li key={section}>
                  <NavLink
                    to={paths.section(id, section)}
                    className={classes.link ?? ''}
                    onClick={onNavigate}
                  >
                    <Icon size={18} stroke={1.6} aria-hidden />
                    {label}
                  </NavLink>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
