import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertOctagon, IconShieldCheck } from '@tabler/icons-react';
import type { AuditVerification } from '../../../src/contract/dashboard/audit.ts';
import { auditProblemTexts } from '../../../src/contract/dashboard/audit-problems.ts';
import type { useVerifyAuditChain } from '../../api/audit.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { FormError } from '../../forms/form-error.tsx';

/** The result of verifying the chain; nothing until it is requested. */
export function Verification({ verify }: { readonly verify: ReturnType<typeof useVerifyAuditChain> }) {
  if (!verify.error && !verify.data) return null;
  return (
    <Stack gap="sm" mb="md">
      <FormError error={verify.error} />
      {verify.data && <Result verification={verify.data} />}
    </Stack>
  );
}

function Result({ verification }: { readonly verification: AuditVerification }) {
  const { holds: isIntact, entries, holds_until: lastIntact, problem, head, verified_at } = verification;
  return (
    <Alert
      role="status"
      color={isIntact ? 'teal' : 'red'}
      variant="light"
      icon={isIntact ? <IconShieldCheck aria-hidden /> : <IconAlertOctagon aria-hidden />}
      title={
        isIntact
          ? `${entries === 1 ? '1 entry' : `All ${entries.toLocaleString()} entries`} verified`
          : `Chain broken after entry ${lastIntact.toLocaleString()} of ${entries.toLocaleString()}`
      }
    >
      <Stack gap="sm">
        <Text size="sm" component="div">
          {isIntact
            ? 'All hashes were recomputed and match.'
            : `After that entry, ${problem && auditProblemTexts[problem]}. Someone with access to the database changed entries, or a restored backup is incomplete. Compare with an earlier export.`}{' '}
          Verified <RelativeTime at={verified_at} />.
        </Text>
        {head && <CopyField label="Last hash" value={head} />}
      </Stack>
    </Alert>
  );
}
