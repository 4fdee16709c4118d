import { lazy, Suspense, useEffect, useState } from 'react';
import { onStepUpRequired } from '../api/client.ts';

const StepUpDialog = lazy(() => import('./step-up-dialog.tsx'));

/** Where the service asks for a fresh second factor, the person is asked; what was refused is then repeated by the client. */
export function StepUp() {
  const [settle, setSettle] = useState<(given: boolean) => void>();
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
  const end = (given: boolean) => {
    settle(given);
    setSettle(undefined);
  };
  return (
    <Suspense>
      <StepUpDialog onEnd={end} />
    </Suspense>
  );
}
