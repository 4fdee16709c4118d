import { Button, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import type { MintedApiKey } from '../../../src/contract/dashboard/keys.ts';
import { useCreateKey } from '../../api/keys.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { handleSubmit } from '../../forms/form.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { SystemField } from '../../forms/system-field.tsx';
import { TextAreaField } from '../../forms/text-area-field.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useField } from '../../forms/use-field.ts';
import { defaultExpiry, expiresAt, KeyExpiryField } from './key-expiry-field.tsx';
import { defaultScopes, ScopesField } from './scopes-field.tsx';

export function CreateKeyForm({ onCreated }: { readonly onCreated: (created: MintedApiKey) => void }) {
  const create = useCreateKey();
  const nameField = useField('name');
  const [kind, setKind] = useState<'dashboard' | 'probe'>('dashboard');
  const [systemId, setSystemId] = useState<string | null>(null);
  const [chosen, setChosen] = useState({ scopes: defaultScopes, privileged: false });
  const [expiry, setExpiry] = useState(defaultExpiry);
  const addresses = useField('allowed_addresses');
  const submit = () => {
    const expires_at = expiresAt(expiry, Date.now());
    const body = {
      name: nameField.value,
      allowed_addresses: addresses.value.match(/[^\s,]+/g) ?? [],
      ...(expires_at ? { expires_at } : {}),
    };
    create.mutate(
      kind === 'probe'
        ? { ...body, kind, ...(systemId ? { system_id: systemId } : {}) }
        : { ...body, kind, ...chosen },
      { onSuccess: onCreated },
    );
  };
  return (
    <form onSubmit={handleSubmit(submit)}>
      <Stack>
        <TextField
          label="Name"
          description="What the key is for, such as “Shop CI”"
          required
          data-autofocus
          maxLength={100}
          error={create.error}
          {...nameField}
        />
        <Radio.Group label="Type" value={kind} onChange={value => setKind(value as typeof kind)}>
          <Stack gap="xs" mt="xs">
            <Radio
              value="dashboard"
              label="Dashboard key"
              description="For CI, scripts, assistants and SIEMs"
            />
            <Radio
              value="probe"
              label="Probe key"
              description="For one probe or Shield of one system. Only sends events."
            />
          </Stack>
        </Radio.Group>
        {kind === 'probe' ? (
          <SystemField
            description="The system that its events belong to"
            value={systemId}
            error={create.error}
            onChange={setSystemId}
          />
        ) : (
          <ScopesField {...chosen} error={create.error} onChange={setChosen} />
        )}
        <KeyExpiryField value={expiry} error={create.error} onChange={setExpiry} />
        <TextAreaField
          label="Allowed IP addresses"
          description="Optional. IPv4 or IPv6 addresses or CIDR ranges, one per line. Requests from other addresses are refused. Can't be changed later."
          placeholder="203.0.113.0/24"
          minRows={2}
          maxRows={6}
          spellCheck={false}
          autoComplete="off"
          error={create.error}
          {...addresses}
        />
        <FormError error={create.error} />
        <Dimmed>You'll be asked to confirm it's you, unless you did so in the last five minutes.</Dimmed>
        <Button
          type="submit"
          loading={create.isPending}
          disabled={kind === 'dashboard' && chosen.scopes.length === 0}
        >
          Create key
        </Button>
      </Stack>
    </form>
  );
}
