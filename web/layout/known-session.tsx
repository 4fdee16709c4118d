import { type ReactNode, useLayoutEffect } from 'react';
import type { Session } from '../../src/contract/dashboard/session.ts';
import { useSessionQuery } from '../api/session.ts';
import { ErrorState } from '../components/error-state.tsx';
import classes from './layout.module.css';

/** Shows nothing until the session is loaded, or the reason if it can't be. */
export function KnownSession({ children }: { readonly children: (session: Session) => ReactNode }) {
  const { data: session, error, refetch } = useSessionQuery();
  const isKnown = Boolean(session ?? error);
  // The header that the service sends along shows until the page has one.
  useLayoutEffect(() => {
    if (isKnown) document.getElementById('early')?.remove();
  }, [isKnown]);
  if (session) return children(session);
  if (!error) return <div className={classes.page} aria-busy="true" />;
  return (
    <main>
      <ErrorState order={1} error={error} onRetry={() => void refetch()} />
    </main>
  );
}
