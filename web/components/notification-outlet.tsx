import { lazy, Suspense } from 'react';
import { useHasNotified } from './notify.ts';

const Notifications = lazy(() => import('./notifications.tsx'));

/** Where notifications appear. Their code loads with the first one. */
export function NotificationOutlet() {
  return useHasNotified() ? (
    <Suspense>
      <Notifications />
    </Suspense>
  ) : null;
}
