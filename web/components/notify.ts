import { useSyncExternalStore } from 'react';

let hasNotified = false;
const listeners = new Set<() => void>();

/** Confirms a finished action for a few seconds, also to screen readers: `Key revoked`. */
export function notify(message: string): void {
  hasNotified = true;
  for (const listener of listeners) listener();
  void import('./notifications.tsx').then(({ show }) => show(message));
}

/** Whether there was a notification since the page was loaded. */
export function useHasNotified(): boolean {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hasNotified,
  );
}
