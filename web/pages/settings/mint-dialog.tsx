import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { MintedApiKey } from '../../../src/contract/dashboard/keys.ts';
import { MintForm } from './mint-form.tsx';
import { MintedKey } from './minted-key.tsx';

interface Props {
  readonly onClose: () => void;
}

/** Mints a key; its secrets stay on the screen until the person is done with them. */
export default function MintDialog({ onClose }: Props) {
  const [minted, setMinted] = useState<MintedApiKey>();
  return (
    <Modal
      opened
      onClose={onClose}
      title={minted ? 'Store these values now' : 'Mint a key'}
      size="lg"
      closeOnClickOutside={!minted}
      closeOnEscape={!minted}
      withCloseButton={!minted}
    >
      {minted ? <MintedKey minted={minted} onDone={onClose} /> : <MintForm onMinted={setMinted} />}
    </Modal>
  );
}
