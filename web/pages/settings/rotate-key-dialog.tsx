import { Button, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey, RotatedApiKey } from '../../../src/contract/dashboard/keys.ts';
import type { Overlap } from '../../../src/contract/keys.ts';
import { useRotateApiKey } from '../../api/keys.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { handleSubmit } from '../../forms/form.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { Select } from '../../later/select-field.tsx';
import { CreatedKey } from './created-key.tsx';

const overlaps: Readonly<Record<Overlap, string>> = {
  '1h': '1 hour',
  '1d': '1 day',
  '7d': '7 days',
  '30d': '30 days',
};

interface Props {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** Replaces a key. The secrets of the new one can't be dismissed by accident. */
export default function RotateKeyDialog({ apiKey, onClose }: Props) {
  const rotate = useRotateApiKey();
  const [overlap, setOverlap] = useState<Overlap>('7d');
  const [rotated, setRotated] = useState<RotatedApiKey>();
  const name = apiKey.name ?? 'this key';
  const submit = () => rotate.mutate({ id: apiKey.token_id, overlap }, { onSuccess: setRotated });
  return (
    <Modal
      opened
      onClose={onClose}
      title={rotated ? 'Save these values now' : `Rotate ${name}`}
      size="lg"
      closeOnClickOutside={!rotated}
      closeOnEscape={!rotated}
      withCloseButton={!rotated}
    >
      {rotated ? (
        <CreatedKey created={rotated} onDone={onClose}>
          <Text size="sm">
            The old key expires <RelativeTime at={rotated.replaced.expires_at} />. Revoke it earlier if no
            client uses it.
          </Text>
        </CreatedKey>
      ) : (
        <form onSubmit={handleSubmit(submit)}>
          <Stack>
            <Text>
              Creates a key with the same name, type, scopes, allowed addresses and lifetime. Both keys work
              until the old one expires.
            </Text>
            {apiKey.kind === 'probe' && (
              <Dimmed>
                If a probe uses this key, rotate it on the page of the probe. It has the commands that replace
                the key file.
              </Dimmed>
            )}
            <Select
              label="Expire the old key in"
              description={
                <>
                  It expires <RelativeTime at={apiKey.expires_at} /> otherwise.
                </>
              }
              data={Object.entries(overlaps).map(([value, label]) => ({ value, label }))}
              allowDeselect={false}
              value={overlap}
              onChange={value => value && setOverlap(value as Overlap)}
            />
            <FormError error={rotate.error} />
            <Button type="submit" loading={rotate.isPending}>
              Rotate key
            </Button>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
