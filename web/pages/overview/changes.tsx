import { Link } from 'react-router';
import type { Overview } from '../../../src/contract/dashboard/overview.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import classes from './overview.module.css';

/** What has changed since the person's last visit. */
export function Changes({ changes }: { readonly changes: Overview['changes'] }) {
  const to = useOrganizationPaths();
  const { since } = changes;
  if (since === null) return <Dimmed>On your next visit, this shows what has changed since.</Dimmed>;
  const entries = [
    { label: 'New', count: changes.opened, query: { order: 'newest' } },
    { label: 'Reopened', count: changes.reopened, query: { reopened: 'yes' } },
    { label: 'Resolved', count: changes.resolved, query: { status: 'resolved', order: 'last_seen' } },
    { label: 'Triaged', count: changes.decided, query: { status: 'accepted,false_positive' } },
  ];
  return (
    <>
      <ul className={classes.changes}>
        {entries.map(({ label, count, query }) => (
          <li key={label}>
            <Link to={to.section('findings', query)}>
              <span className="tabular">{count.toLocaleString()}</span> {label}
            </Link>
          </li>
        ))}
      </ul>
      <Dimmed>
        Since your last visit, <RelativeTime at={since} />
      </Dimmed>
    </>
  );
}
