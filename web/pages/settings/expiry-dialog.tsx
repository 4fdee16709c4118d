import { Text } from '@mantine/core';
import type { ApiKey } from '../../../src/contract/dashboard/keys.ts';
import { useExpireKey } from '../../api/keys.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { day, localDateTime } from '../../formats/dates.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useField } from '../../forms/use-field.ts';

/** Moves the expiry of a key earlier. The service refuses a later one. */
export default function ExpiryDialog({
  apiKey,
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}) {
  const expire = useExpireKey();
  const expiresAt = Date.parse(apiKey.expires_at);
  const at = useField('at', () => localDateTime(Math.min(Date.now() + 7 * day, expiresAt)));
  return (
    <FormDialog
      title={`Change expiry of ${apiKey.name ?? 'this key'}`}
      submitLabel="Change expiry"
      mutation={expire}
      onSubmit={options =>
        expire.mutate({ id: apiKey.token_id, at: new Date(at.value).toISOString() }, options)
      }
      done="Expiry changed"
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
        error={expire.error}
        {...at}
      />
    </FormDialog>
  );
}
