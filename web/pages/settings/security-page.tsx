import { Stack } from '@mantine/core';
import { useAccountSecurity } from '../../api/account.ts';
import { useSession } from '../../api/session.ts';
import { CardSkeleton, Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { BackupCodesSection } from './backup-codes-section.tsx';
import { IdentitiesSection } from './identities-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { TotpSection } from './totp-section.tsx';

/** The person's own account, which is the same in every organization. */
export default function SecurityPage() {
  const security = useAccountSecurity();
  const { person } = useSession();
  return (
    <>
      <PageHeader
        title="Security"
        description={`Sign-in methods and sessions of ${person?.email}. They apply to all your organizations.`}
      />
      <Loaded query={security} skeleton={<Skeletons />}>
        {account => (
          <Stack gap="md" maw={820}>
            <ProfileSection />
            <PasswordSection changedAt={account.password_changed_at} />
            <IdentitiesSection identities={account.identities} />
            <TotpSection setUpAt={account.totp_set_up_at} />
            <PasskeysSection passkeys={account.passkeys} />
            <BackupCodesSection left={account.backup_codes_left} />
            <SessionsSection sessions={account.sessions} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function Skeletons() {
  return (
    <Stack gap="md" maw={820}>
      <CardSkeleton height={110} />
      <CardSkeleton height={110} />
      <CardSkeleton height={110} />
      <CardSkeleton height={150} />
      <CardSkeleton height={110} />
      <CardSkeleton height={260} />
    </Stack>
  );
}
