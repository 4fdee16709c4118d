import { lazy, Suspense, useEffect, useState } from 'react';
import { onStepUpRequired } from '../api/client.ts';

const StepUpDialog = lazy(() => import('./step-up-dialog.tsx'));

/** Opens the step-up dialog when the client requests one. */
export function StepUp() {
  const [settle, setSettle] = useState<(confirmed: boolean) => void>();
  useEffect(
    () =>
      onStepUpRequired(
        () =>
          new Promise(resolve => {
            setSettle(() => resolve);
          }),
      ),
    [],
  );
  if (!settle) return null;
  const end = (confirmed: boolean) => {
    settle(confirmed);
    setSettle(undefined);
  };
  return (
    <Suspense>
      <StepUpDialog onEnd={end} />
    </Suspense>
  );
}
