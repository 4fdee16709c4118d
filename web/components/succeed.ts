import { useSyncExternalStore } from 'react';

let said = false;
const listeners = new Set<() => void>();

/** Says that something is done, for a few seconds and to screen readers. */
export function succeed(message: string): void {
  said = true;
  for (const listener of listeners) listener();
  // Loaded when there is something to say.
  void import('./notifications.tsx').then(({ show }) => show(message));
}

/** Whether anything was said since the page was loaded. */
export function useAnythingSaid(): boolean {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => said,
  );
}
