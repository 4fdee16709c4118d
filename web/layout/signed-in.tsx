import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { paths, queryString } from '../paths.ts';
import { KnownSession } from './known-session.tsx';

/** Redirects people who are not signed in to the sign-in page, which leads back here. */
export function SignedIn({ children }: { readonly children: ReactNode }) {
  const { pathname, search } = useLocation();
  return (
    <KnownSession>
      {session => {
        if (session.state === 'signed_in') return children;
        const path = pathname + search;
        return <Navigate to={paths.signIn + queryString({ next: path === '/' ? '' : path })} replace />;
      }}
    </KnownSession>
  );
}
