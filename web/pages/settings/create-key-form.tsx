import { Alert, Button, Radio, Stack, Switch } from '@mantine/core';
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

export function CreateKeyForm({ onCreated }: { readonly onCreated: (created: MintedApiKey) => void }) {
  const create = useCreateKey();
  const nameField = useField('name');
  const [kind, setKind] = useState<'dashboard' | 'probe'>('dashboard');
  const [systemId, setSystemId] = useState<string | null>(null);
  const [privileged, setPrivileged] = useState(false);
  const addresses = useField('allowed_addresses');
  const submit = () => {
    const body = { name: nameField.value, allowed_addresses: addresses.value.match(/[^\s,]+/g) ?? [] };
    create.mutate(
      kind === 'probe'
        ? { ...body, kind, ...(systemId ? { system_id: systemId } : {}) }
        : { ...body, kind, ...(privileged ? { privileged } : {}) },
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
              description="For CI, scripts and SIEMs. Reads findings, manages sources, runs scans and sends events."
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
          <Switch
            label="Allow storing database credentials (sources:privileged)"
            checked={privileged}
            onChange={event => setPrivileged(event.currentTarget.checked)}
          />
        )}
        {kind === 'dashboard' && privileged && (
          <Alert color="orange" variant="light" title="Privileged scope">
            This key can store credentials of databases and Supabase projects, which Parapet then connects to.
            Leave it off for keys that only read findings or run scans.
          </Alert>
        )}
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
        <Button type="submit" loading={create.isPending}>
          Create key
        </Button>
      </Stack>
    </form>
  );
}
