import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { paths, queryString } from '../paths.ts';
import { KnownSession } from './known-session.tsx';

/** Shows its pages to whoever is signed in; leads everyone else to the sign-in page, and back here from there. */
export function SignedIn({ children }: { readonly children: ReactNode }) {
  const { pathname, search } = useLocation();
  return (
    <KnownSession>
      {session => {
        if (session.state === 'signed_in') return children;
        const way = pathname + search;
        return <Navigate to={paths.signIn + queryString({ next: way === '/' ? '' : way })} replace />;
      }}
    </KnownSession>
  );
}
