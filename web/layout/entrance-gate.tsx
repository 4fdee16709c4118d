import { Suspense } from 'react';
import { Outlet } from 'react-router';
import { StepUp } from '../forms/step-up.tsx';
import { KnownSession } from './known-session.tsx';
import classes from './layout.module.css';
import { PageBoundary } from './page-boundary.tsx';

/** Loads the session before any page of the sign-in is shown. */
export function EntranceGate() {
  return (
    <KnownSession>
      {() => (
        <PageBoundary>
          <Suspense fallback={<div className={classes.page} aria-busy="true" />}>
            <Outlet />
          </Suspense>
          <StepUp />
        </PageBoundary>
      )}
    </KnownSession>
  );
}
