import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertOctagon, IconShieldCheck } from '@tabler/icons-react';
import type { AuditVerification } from '../../../src/contract/dashboard/audit.ts';
import { auditProblemTexts } from '../../../src/contract/dashboard/audit-problems.ts';
import type { useVerifyAuditChain } from '../../api/audit.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SecretField } from '../../components/secret-field.tsx';
import { FormError } from '../../forms/form-error.tsx';

/** What came of computing the chain of hashes anew; nothing until somebody asks for it. */
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
  const { holds, entries, holds_until, problem, head, verified_at } = verification;
  return (
    <Alert
      role="status"
      color={holds ? 'teal' : 'red'}
      variant="light"
      icon={holds ? <IconShieldCheck aria-hidden /> : <IconAlertOctagon aria-hidden />}
      title={
        holds
          ? `All ${entries.toLocaleString()} entries hold`
          : `The chain holds up to entry ${holds_until.toLocaleString()} of ${entries.toLocaleString()}`
      }
    >
      <Stack gap="sm">
        <Text size="sm" component="div">
          {holds
            ? 'Each was computed anew, and follows the one before.'
            : `After it, ${problem && auditProblemTexts[problem]}. Somebody with access to the database has changed entries, or a restored backup is not whole. Compare with an export that you kept.`}{' '}
          Verified <RelativeTime at={verified_at} />.
        </Text>
        {head && <SecretField label="Hash of the last entry" value={head} />}
      </Stack>
    </Alert>
  );
}
