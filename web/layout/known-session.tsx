import type { ReactNode } from 'react';
import type { Session } from '../../src/contract/dashboard/session.ts';
import { useSessionQuery } from '../api/session.ts';
import { ErrorState } from '../components/error-state.tsx';
import classes from './layout.module.css';

/** Shows nothing before it is known who is here, and says why where that cannot be known. */
export function KnownSession({ children }: { readonly children: (session: Session) => ReactNode }) {
  const { data: session, error, refetch } = useSessionQuery();
  if (session) return children(session);
  if (!error) return <div className={classes.page} aria-busy="true" />;
  return (
    <main>
      <ErrorState order={1} error={error} onRetry={() => void refetch()} />
    </main>
  );
}
