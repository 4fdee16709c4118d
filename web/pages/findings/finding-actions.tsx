import { Button, Group, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { FindingDetail } from '../../../src/contract/dashboard/findings.ts';
import { useVerify } from '../../api/findings.ts';
import { useInvalidate } from '../../api/organization-mutation.ts';
import { useOrganization } from '../../api/session.ts';
import { succeed } from '../../components/succeed.ts';
import { FormError } from '../../forms/form-error.tsx';
import { type DecisionKind, decisionWords } from './decisions.ts';
import { TriageDialog } from './triage-dialog.tsx';

/** Look again, or decide. Members read only. */
export function FindingActions({ finding }: { readonly finding: FindingDetail }) {
  const { canOperate } = useOrganization();
  const verify = useVerify();
  const [deciding, setDeciding] = useState<DecisionKind>();
  const { verification, decisions } = finding;
  const lastDecision = decisions[0]?.decision;
  const awaitOutcome = useOutcome(finding);
  const isDecided = lastDecision === 'accepted' || lastDecision === 'false_positive';
  const kinds: DecisionKind[] = isDecided
    ? ['reopened', lastDecision === 'accepted' ? 'false_positive' : 'accepted']
    : ['accepted', 'false_positive'];
  if (!canOperate) return null;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {verification.possible && (
          <Button
            size="xs"
            leftSection={<IconRefresh size={14} aria-hidden />}
            loading={verify.isPending || verification.scan_id !== null}
            onClick={() => verify.mutate(finding.id, { onSuccess: awaitOutcome })}
          >
            Verify now
          </Button>
        )}
        {kinds.map(kind => (
          <Button key={kind} size="xs" variant="default" onClick={() => setDeciding(kind)}>
            {decisionWords[kind].act}
          </Button>
        ))}
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {verification.scan_id ? 'Looking again…' : verification.text}
      </Text>
      <FormError error={verify.error} />
      {deciding && <TriageDialog ids={[finding.id]} kind={deciding} onClose={() => setDeciding(undefined)} />}
    </Stack>
  );
}

/** Once somebody has asked to look again: says what it has come to, and has the lists loaded anew. */
function useOutcome({ status, verification }: FindingDetail): () => void {
  const invalidate = useInvalidate();
  const [awaited, setAwaited] = useState(false);
  const ended = awaited && verification.scan_id === null;
  useEffect(() => {
    if (!ended) return;
    setAwaited(false);
    succeed(
      status === 'resolved' ? 'It is gone: the finding is resolved' : 'Looked again: it was not resolved',
    );
    invalidate('findings', 'overview', 'sources');
  }, [ended, status, invalidate]);
  return () => setAwaited(true);
}
