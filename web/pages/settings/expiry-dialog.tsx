import { Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey } from '../../../src/contract/dashboard/keys.ts';
import { useExpireKey } from '../../api/keys.ts';
import { notify } from '../../components/notify.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { day, localDateTime } from '../../formats/dates.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { TextField } from '../../forms/text-field.tsx';

/** Moves the expiry of a key earlier. The service refuses a later one. */
export function ExpiryDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const expire = useExpireKey();
  const expiresAt = Date.parse(apiKey.expires_at);
  const [at, setAt] = useState(() => localDateTime(Math.min(Date.now() + 7 * day, expiresAt)));
  const onSuccess = () => {
    notify('Expiry changed');
    onClose();
  };
  return (
    <FormDialog
      title={`Change expiry of ${apiKey.name ?? 'this key'}`}
      submitLabel="Change expiry"
      mutation={expire}
      onSubmit={() => expire.mutate({ id: apiKey.token_id, at: new Date(at).toISOString() }, { onSuccess })}
      onClose={onClose}
    >
      <Text>
        The key expires <RelativeTime at={apiKey.expires_at} />. You can choose an earlier time, but not a
        later one.
      </Text>
      <TextField
        label="New expiry"
        description="In your time zone"
        type="datetime-local"
        required
        min={localDateTime(Date.now())}
        max={localDateTime(expiresAt)}
        value={at}
        path="at"
        error={expire.error}
        onChange={setAt}
      />
    </FormDialog>
  );
}
