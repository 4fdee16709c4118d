import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { BackupCodes } from '../../forms/backup-codes.tsx';
import { PasskeySetUp } from '../../forms/passkey-set-up.tsx';
import { TotpSetUp } from '../../forms/totp-set-up.tsx';

const ways = [
  { value: 'totp', label: 'Authenticator app' },
  { value: 'passkey', label: 'Passkey' },
];

/** The first second factor of an account, then the codes that stand in for it. */
export function Enrolment({ onDone }: { readonly onDone: () => void }) {
  const [way, setWay] = useState('totp');
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) return <BackupCodes codes={codes} onKept={onDone} />;
  const onEnrolled = (backupCodes: readonly string[] | null) =>
    backupCodes ? setCodes(backupCodes) : onDone();
  return (
    <Stack>
      <SegmentedControl
        aria-label="Kind of second factor"
        data={ways}
        value={way}
        onChange={setWay}
        fullWidth
      />
      {way === 'totp' ? <TotpSetUp onEnrolled={onEnrolled} /> : <PasskeySetUp onEnrolled={onEnrolled} />}
    </Stack>
  );
}
