import { Button, Group, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { FindingDetail } from '../../../src/contract/dashboard/findings.ts';
import { useVerify } from '../../api/findings.ts';
import { useInvalidate } from '../../api/organization-mutation.ts';
import { useOrganization } from '../../api/session.ts';
import { notify } from '../../components/notify.ts';
import { TextLink } from '../../components/text-link.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { laterPart } from '../../later/later.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { type TriageAction, triageLabels } from './triage-labels.ts';

const TriageDialog = laterPart(() => import('./triage-dialog.tsx'));

/** Verifies or triages a finding. */
export function FindingActions({ finding }: { readonly finding: FindingDetail }) {
  const { canOperate } = useOrganization();
  const to = useOrganizationPaths();
  const verify = useVerify();
  const [action, setAction] = useState<TriageAction>();
  const announceResult = useVerificationResult(finding);
  const { verification } = finding;
  if (!canOperate) return null;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {verification.possible && (
          <Button
            size="xs"
            leftSection={<IconRefresh size={14} aria-hidden />}
            loading={verify.isPending || verification.scan_id !== null}
            onClick={() => verify.mutate(finding.id, { onSuccess: announceResult })}
          >
            Verify now
          </Button>
        )}
        {availableActions(finding).map(each => (
          <Button key={each} size="xs" variant="default" onClick={() => setAction(each)}>
            {triageLabels[each].button}
          </Button>
        ))}
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {verification.scan_id ? 'Verifying…' : verification.text}{' '}
        {verification.needs_proof && (
          <TextLink to={to.object('sources', finding.source.id)} underline="always">
            Prove the domain
          </TextLink>
        )}
      </Text>
      <FormError error={verify.error} />
      {action && <TriageDialog ids={[finding.id]} action={action} onClose={() => setAction(undefined)} />}
    </Stack>
  );
}

/** A triaged finding can be reopened, or triaged the other way. */
function availableActions({ decisions }: FindingDetail): TriageAction[] {
  const last = decisions[0]?.decision;
  if (last === 'accepted') return ['reopened', 'false_positive'];
  if (last === 'false_positive') return ['reopened', 'accepted'];
  return ['accepted', 'false_positive'];
}

/** Announces the result of a verification and reloads the lists, once the returned function was called when it started. */
function useVerificationResult({ status, verification }: FindingDetail): () => void {
  const invalidate = useInvalidate();
  const [awaiting, setAwaiting] = useState(false);
  const finished = awaiting && verification.scan_id === null;
  useEffect(() => {
    if (!finished) return;
    setAwaiting(false);
    notify(status === 'resolved' ? 'Verified: resolved' : 'Verified: not resolved');
    invalidate('findings', 'overview', 'sources');
  }, [finished, status, invalidate]);
  return () => setAwaiting(true);
}
