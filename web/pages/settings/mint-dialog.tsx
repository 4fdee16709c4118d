import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { MintedApiKey } from '../../../src/contract/dashboard/keys.ts';
import { MintForm } from './mint-form.tsx';
import { MintedKey } from './minted-key.tsx';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Mints a key; its secrets stay on the screen until the person is done with them. */
export function MintDialog({ opened, onClose }: Props) {
  const [minted, setMinted] = useState<MintedApiKey>();
  const close = () => {
    setMinted(undefined);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={minted ? 'Store these values now' : 'Mint a key'}
      size="lg"
      closeOnClickOutside={!minted}
      closeOnEscape={!minted}
      withCloseButton={!minted}
    >
      {minted ? <MintedKey minted={minted} onDone={close} /> : <MintForm onMinted={setMinted} />}
    </Modal>
  );
}
