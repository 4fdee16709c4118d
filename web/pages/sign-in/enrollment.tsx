import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { useSignOut } from '../../api/session.ts';
import { QuietButton } from '../../components/quiet-button.tsx';
import { BackupCodes } from '../../forms/backup-codes.tsx';
import { PasskeySetup } from '../../forms/passkey-setup.tsx';
import { TotpSetup } from '../../forms/totp-setup.tsx';
import { Entrance } from './entrance.tsx';

const methods = [
  { value: 'totp', label: 'Authenticator app' },
  { value: 'passkey', label: 'Passkey' },
];

interface Props {
  readonly onDone: () => void;
  /** Called after the person has signed out instead. */
  readonly onSignedOut: () => void;
}

/** Sets up the first second factor of an account, then shows its backup codes. */
export function Enrollment({ onDone, onSignedOut }: Props) {
  const [method, setMethod] = useState('totp');
  const [codes, setCodes] = useState<readonly string[]>();
  const signOut = useSignOut();
  if (codes) {
    return (
      <Entrance title="Save your backup codes">
        <BackupCodes codes={codes} onSaved={onDone} />
      </Entrance>
    );
  }
  const onEnrolled = (backupCodes: readonly string[] | null) =>
    backupCodes ? setCodes(backupCodes) : onDone();
  return (
    <Entrance
      title="Set up a second factor"
      description="Your role can change what is scanned and who has access, so a password alone isn't enough."
    >
      <Stack>
        <SegmentedControl
          aria-label="Type of second factor"
          data={methods}
          value={method}
          onChange={setMethod}
          fullWidth
        />
        {method === 'totp' ? <TotpSetup onEnrolled={onEnrolled} /> : <PasskeySetup onEnrolled={onEnrolled} />}
        <QuietButton onClick={() => signOut.mutate(undefined, { onSuccess: onSignedOut })}>
          Use a different account
        </QuietButton>
      </Stack>
    </Entrance>
  );
}
