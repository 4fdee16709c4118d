import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { useSignOut } from '../../api/session.ts';
import { QuietButton } from '../../components/quiet-button.tsx';
import { BackupCodes } from '../../forms/backup-codes.tsx';
import { PasskeySetUp } from '../../forms/passkey-set-up.tsx';
import { TotpSetUp } from '../../forms/totp-set-up.tsx';
import { Entrance } from './entrance.tsx';

const ways = [
  { value: 'totp', label: 'Authenticator app' },
  { value: 'passkey', label: 'Passkey' },
];

interface Props {
  readonly onDone: () => void;
  /** The person turns back, and is signed out. */
  readonly onLeave: () => void;
}

/** The first second factor of an account, then the codes that stand in for it. */
export function Enrolment({ onDone, onLeave }: Props) {
  const [way, setWay] = useState('totp');
  const [codes, setCodes] = useState<readonly string[]>();
  const signOut = useSignOut();
  if (codes) {
    return (
      <Entrance title="Keep your backup codes">
        <BackupCodes codes={codes} onKept={onDone} />
      </Entrance>
    );
  }
  const onEnrolled = (backupCodes: readonly string[] | null) =>
    backupCodes ? setCodes(backupCodes) : onDone();
  return (
    <Entrance
      title="Set up a second factor"
      description="Your role can change what is scanned and who gets in, so a password alone is not enough."
    >
      <Stack>
        <SegmentedControl
          aria-label="Kind of second factor"
          data={ways}
          value={way}
          onChange={setWay}
          fullWidth
        />
        {way === 'totp' ? <TotpSetUp onEnrolled={onEnrolled} /> : <PasskeySetUp onEnrolled={onEnrolled} />}
        <QuietButton onClick={() => signOut.mutate(undefined, { onSuccess: onLeave })}>
          Sign in as somebody else
        </QuietButton>
      </Stack>
    </Entrance>
  );
}
