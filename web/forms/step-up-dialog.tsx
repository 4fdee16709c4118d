import { Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SecondFactor, Session } from '../../src/contract/dashboard/session.ts';
import { onStepUpRequired, request } from '../api/client.ts';
import { sessionKey, useSession } from '../api/session.ts';
import { SecondFactorForm } from './second-factor-form.tsx';

/** Opens where the service asks for a fresh second factor; what was refused is then repeated by the client. */
export function StepUpDialog() {
  const { second_factors: factors } = useSession();
  const queries = useQueryClient();
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
    await request<Session>('POST', '/session/step-up', { body: factor });
    void queries.invalidateQueries({ queryKey: sessionKey });
    end(true);
  };
  return (
    <Modal
      opened={settle !== undefined}
      onClose={() => end(false)}
      title="Confirm that it is you"
      // Above whatever dialog the refused act began in.
      zIndex={400}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        <Text>This needs a second factor that was given within the last five minutes.</Text>
        <SecondFactorForm factors={factors} onGiven={give} />
      </Stack>
    </Modal>
  );
}
