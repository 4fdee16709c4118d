import { Modal, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { SecondFactor } from '../../src/contract/dashboard/session.ts';
import { onStepUpRequired } from '../api/client.ts';
import { useSession, useSessionAct } from '../api/session.ts';
import { SecondFactorForm } from './second-factor-form.tsx';

/** Opens where the service asks for a fresh second factor; what was refused is then repeated by the client. */
export function StepUpDialog() {
  const { second_factors: factors } = useSession();
  const act = useSessionAct<SecondFactor>('/second-factor');
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
  const end = (given: boolean) => {
    settle?.(given);
    setSettle(undefined);
  };
  const give = async (factor: SecondFactor) => {
    await act.mutateAsync(factor);
    end(true);
  };
  return (
    <Modal
      opened={settle !== undefined}
      onClose={() => end(false)}
      title="Confirm that it is you"
      // Above whatever dialog the refused act began in.
      zIndex={400}
    >
      <Stack>
        <Text>This needs a second factor that was given within the last five minutes.</Text>
        <SecondFactorForm factors={factors} onGiven={give} />
      </Stack>
    </Modal>
  );
}
