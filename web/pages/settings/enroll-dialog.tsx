import { Modal } from '@mantine/core';
import { useState } from 'react';
import { BackupCodes } from '../../forms/backup-codes.tsx';
import { PasskeySetup } from '../../forms/passkey-setup.tsx';
import { TotpSetup } from '../../forms/totp-setup.tsx';

interface Props {
  readonly kind: 'totp' | 'passkey';
  readonly onClose: () => void;
}

/** Sets up a second factor. The first one comes with backup codes, which can't be dismissed by accident. */
export default function EnrollDialog({ kind, onClose }: Props) {
  const [codes, setCodes] = useState<readonly string[]>();
  const onEnrolled = (backupCodes: readonly string[] | null) =>
    backupCodes ? setCodes(backupCodes) : onClose();
  const title = kind === 'totp' ? 'Set up authenticator app' : 'Add passkey';
  return (
    <Modal
      opened
      onClose={onClose}
      title={codes ? 'Save your backup codes' : title}
      closeOnClickOutside={!codes}
      closeOnEscape={!codes}
      withCloseButton={!codes}
    >
      {codes && <BackupCodes codes={codes} onSaved={onClose} />}
      {!codes && kind === 'totp' && <TotpSetup onEnrolled={onEnrolled} />}
      {!codes && kind === 'passkey' && <PasskeySetup onEnrolled={onEnrolled} />}
    </Modal>
  );
}
