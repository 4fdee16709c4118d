import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { MintedApiKey } from '../../../src/contract/dashboard/keys.ts';
import { CreateKeyForm } from './create-key-form.tsx';
import { CreatedKey } from './created-key.tsx';

/** Creates a key. Its secrets can't be dismissed by accident. */
export default function CreateKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [created, setCreated] = useState<MintedApiKey>();
  return (
    <Modal
      opened
      onClose={onClose}
      title={created ? 'Save these values now' : 'Create key'}
      size="lg"
      closeOnClickOutside={!created}
      closeOnEscape={!created}
      withCloseButton={!created}
    >
      {created ? <CreatedKey created={created} onDone={onClose} /> : <CreateKeyForm onCreated={setCreated} />}
    </Modal>
  );
}
