import { Suspense } from 'react';
import { Outlet } from 'react-router';
import { useSessionQuery } from '../api/session.ts';
import { ErrorState } from '../components/error-state.tsx';
import { StepUp } from '../forms/step-up.tsx';
import classes from './layout.module.css';
import { PageBoundary } from './page-boundary.tsx';

/** Around the pages for who is not inside yet: they know who is here before they show anything. */
export function EntranceGate() {
  const { data: session, error, refetch } = useSessionQuery();
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
  return (
    <PageBoundary>
      <Suspense fallback={<div className={classes.page} aria-busy="true" />}>
        <Outlet />
      </Suspense>
      <StepUp />
    </PageBoundary>
  );
}
