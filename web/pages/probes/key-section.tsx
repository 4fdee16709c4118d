import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { MintedApiKey } from '../../../src/contract/dashboard/keys.ts';
import type { ProbeDetail } from '../../../src/contract/dashboard/probes.ts';
import { useRevokeKey } from '../../api/keys.ts';
import { useRotateKey } from '../../api/probes.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
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
  const isUsed = rotation !== undefined && rotation.minted.token_id === id;
  const start = () => {
    rotate.mutate(probe.id, { onSuccess: minted => setRotation({ oldWorks, minted }) });
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
        {isUsed && (
          <Alert color="teal" variant="light" title={`${probe.name} uses the new key`} role="status" />
        )}
        {canRotate && probe.older_keys.length > 0 && <OlderKeys probe={probe} />}
        {rotation && !isUsed ? (
          <Rotating probe={probe} rotation={rotation} />
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
}

function Rotating({ probe, rotation: { oldWorks, minted } }: RotatingProps) {
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

/** Keys of before a rotation that still work, with the button that revokes them. */
function OlderKeys({ probe: { name, older_keys } }: { readonly probe: ProbeDetail }) {
  const revoke = useRevokeKey();
  const [revoking, setRevoking] = useState<string>();
  return (
    <Alert color="orange" variant="light" title={`An older key of ${name} still works`}>
      <Stack gap="sm">
        <Text size="sm">Revoke it now, unless another host uses it too.</Text>
        {older_keys.map(({ id, last_used_at }) => (
          <Group key={id} gap="sm">
            <Button onClick={() => setRevoking(id)}>Revoke old key</Button>
            <div>
              <Mono size="xs">{id}</Mono>
              {last_used_at && (
                <Text size="xs">
                  Last used <RelativeTime at={last_used_at} />
                </Text>
              )}
            </div>
          </Group>
        ))}
      </Stack>
      <ConfirmDialog
        opened={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={`Revoke the old key of ${name}?`}
        confirmLabel="Revoke key"
        danger
        onConfirm={async () => {
          await revoke.mutateAsync(revoking!);
          notify('Old key revoked');
        }}
      >
        Requests signed with it are refused from now on. This can't be undone.
      </ConfirmDialog>
    </Alert>
  );
}
