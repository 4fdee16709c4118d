import { Modal } from '@mantine/core';
import { useState } from 'react';
import { BackupCodes } from '../../forms/backup-codes.tsx';
import { PasskeySetUp } from '../../forms/passkey-set-up.tsx';
import { TotpSetUp } from '../../forms/totp-set-up.tsx';

interface Props {
  readonly kind: 'totp' | 'passkey';
  readonly onClose: () => void;
}

/** Sets up a second factor; the first one brings backup codes, which stay until they are kept. */
export default function EnrolDialog({ kind, onClose }: Props) {
  const [codes, setCodes] = useState<readonly string[]>();
  const onEnrolled = (backupCodes: readonly string[] | null) =>
    backupCodes ? setCodes(backupCodes) : onClose();
  const title = kind === 'totp' ? 'Set up an authenticator app' : 'Add a passkey';
  return (
    <Modal
      opened
      onClose={onClose}
      title={codes ? 'Keep your backup codes' : title}
      closeOnClickOutside={!codes}
      closeOnEscape={!codes}
      withCloseButton={!codes}
    >
      {codes && <BackupCodes codes={codes} onKept={onClose} />}
      {!codes && kind === 'totp' && <TotpSetUp onEnrolled={onEnrolled} />}
      {!codes && kind === 'passkey' && <PasskeySetUp onEnrolled={onEnrolled} />}
    </Modal>
  );
}
