import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { MintedApiKey } from '../../../src/contract/dashboard/keys.ts';
import type { ProbeDetail } from '../../../src/contract/dashboard/probes.ts';
import { useRevokeKey } from '../../api/keys.ts';
import { useRotateKey } from '../../api/probes.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { Mono } from '../../components/mono.tsx';
import { notify } from '../../components/notify.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { rotateBlock } from './probe-block.ts';
import { probeState } from './probe-state.ts';

interface Rotation {
  readonly oldId: string;
  /** Neither revoked nor expired. */
  readonly oldWorks: boolean;
  readonly minted: MintedApiKey;
}

/** The key that signs the reports, and its rotation without a gap. */
export function KeySection({
  probe,
  canRotate,
}: {
  readonly probe: ProbeDetail;
  readonly canRotate: boolean;
}) {
  const rotate = useRotateKey();
  const [rotation, setRotation] = useState<Rotation>();
  const { id, name, expires_at, revoked_at } = probe.key;
  const state = probeState(probe);
  const oldWorks = state !== 'key_revoked' && state !== 'key_expired';
  const start = () => {
    rotate.mutate(probe.id, { onSuccess: minted => setRotation({ oldId: id, oldWorks, minted }) });
  };
  return (
    <Section
      title="Key"
      description="Signs what the probe sends. It can send events of this system, and nothing else."
    >
      <Stack gap="md">
        <Facts>
          <Fact name="Name">{name ?? 'Unnamed key'}</Fact>
          <Fact name="ID">
            <Mono size="sm">{id}</Mono>
          </Fact>
          <Fact name={revoked_at ? 'Revoked' : state === 'key_expired' ? 'Expired' : 'Expires'}>
            {(revoked_at ?? expires_at) ? <RelativeTime at={(revoked_at ?? expires_at)!} /> : 'Unknown'}
          </Fact>
        </Facts>
        {rotation ? (
          <Rotating probe={probe} rotation={rotation} onDone={() => setRotation(undefined)} />
        ) : (
          canRotate && (
            <>
              <FormError error={rotate.error} />
              <Button variant="default" w="fit-content" loading={rotate.isPending} onClick={start}>
                Rotate key
              </Button>
            </>
          )
        )}
      </Stack>
    </Section>
  );
}

interface RotatingProps {
  readonly probe: ProbeDetail;
  readonly rotation: Rotation;
  readonly onDone: () => void;
}

function Rotating({ probe, rotation: { oldId, oldWorks, minted }, onDone }: RotatingProps) {
  const revoke = useRevokeKey();
  const isUsed = probe.key.id === minted.token_id;
  if (isUsed && !oldWorks) {
    return (
      <Alert color="teal" variant="light" title={`${probe.name} uses the new key`} role="status">
        It reports again.
      </Alert>
    );
  }
  if (isUsed) {
    return (
      <Alert color="teal" variant="light" title={`${probe.name} uses the new key`} role="status">
        <Stack gap="sm">
          <Text size="sm">The old key still works. Revoke it now, unless another probe uses it too.</Text>
          <FormError error={revoke.error} />
          <Button
            w="fit-content"
            loading={revoke.isPending}
            onClick={() =>
              revoke.mutate(oldId, {
                onSuccess: () => {
                  notify('Old key revoked');
                  onDone();
                },
              })
            }
          >
            Revoke old key
          </Button>
        </Stack>
      </Alert>
    );
  }
  return (
    <Stack gap="sm">
      <CopyField
        label="Shell"
        description="Run this on the host of the probe. It replaces the key file, and the probe uses the new key from its next request on. With systemd: systemctl restart parapet-probe. The key is shown only once."
        value={rotateBlock(minted)}
      />
      <Group gap="xs" role="status">
        <Loader size="xs" aria-hidden />
        <Text size="sm">
          Waiting for a report of {probe.name} with the new key. {oldWorks && 'The old key still works.'}
        </Text>
      </Group>
    </Stack>
  );
}
