import { lazy, Suspense } from 'react';
import { useAnythingSaid } from './succeed.ts';

const Notifications = lazy(() => import('./notifications.tsx'));

/** Where the page says that something is done. */
export function Said() {
  return useAnythingSaid() ? (
    <Suspense>
      <Notifications />
    </Suspense>
  ) : null;
}
