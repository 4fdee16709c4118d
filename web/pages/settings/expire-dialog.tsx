import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey } from '../../../src/contract/dashboard/keys.ts';
import { useExpireKey } from '../../api/keys.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { succeed } from '../../components/succeed.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { fieldError } from '../../forms/form-error.tsx';

interface Props {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** Moves a key's end earlier; never later. */
export function ExpireDialog({ apiKey, onClose }: Props) {
  const expire = useExpireKey();
  const [at, setAt] = useState(() => inputValue(new Date(Date.now() + 7 * 86_400_000)));
  const submit = () => {
    expire.mutate(
      { id: apiKey.token_id, at: new Date(at).toISOString() },
      {
        onSuccess: () => {
          succeed('The key ends earlier');
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={`Expire ${apiKey.name ?? 'this key'} earlier`}
      submitLabel="Expire at this time"
      act={expire}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text>
        It ends <RelativeTime at={apiKey.expires_at} /> by itself. An end can be moved earlier, never later:
        time enough to put another key in its place.
      </Text>
      <TextInput
        label="Ends at"
        description="In your own time zone"
        type="datetime-local"
        required
        min={inputValue(new Date())}
        max={inputValue(new Date(apiKey.expires_at))}
        value={at}
        error={fieldError(expire.error, 'at')}
        onChange={event => setAt(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

/** `2026-11-21T18:30` in local time, as the input has it. */
function inputValue(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
