import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useSessionQuery } from '../api/session.ts';
import { ErrorState } from '../components/error-state.tsx';
import { paths, queryString } from '../paths.ts';
import classes from './layout.module.css';

/** Shows its pages to whoever is signed in; leads everyone else to the sign-in page, and back here from there. */
export function SignedIn({ children }: { readonly children: ReactNode }) {
  const { data: session, error, refetch } = useSessionQuery();
  const { pathname, search } = useLocation();
  if (!session) {
    if (error) {
      return (
        <main>
          <ErrorState order={1} error={error} onRetry={() => void refetch()} />
        </main>
      );
    }
    return <div className={classes.page} aria-busy="true" />;
  }
  if (session.state !== 'signed_in') {
    const way = pathname + search;
    return <Navigate to={paths.signIn + queryString({ next: way === '/' ? '' : way })} replace />;
  }
  return children;
}
