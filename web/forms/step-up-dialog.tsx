import { Modal, Stack, Text } from '@mantine/core';
import type { SecondFactor } from '../../src/contract/dashboard/session.ts';
import { useSession, useSessionAct } from '../api/session.ts';
import { SecondFactorForm } from './second-factor-form.tsx';

/** Asks for a second factor; ends with whether one was given. */
export default function StepUpDialog({ onEnd }: { readonly onEnd: (given: boolean) => void }) {
  const { second_factors: factors } = useSession();
  const act = useSessionAct<SecondFactor>('/second-factor');
  const give = async (factor: SecondFactor) => {
    await act.mutateAsync(factor);
    onEnd(true);
  };
  return (
    <Modal
      opened
      onClose={() => onEnd(false)}
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
