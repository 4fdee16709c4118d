import { Alert, Button, Radio, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { MintedApiKey } from '../../../src/contract/dashboard/keys.ts';
import { useCreateKey } from '../../api/keys.ts';
import { useSystemNames } from '../../api/system-names.ts';
import { FormError, fieldError } from '../../forms/form-error.tsx';

/** What a key is for. The service asks for a fresh second factor before it mints. */
export function MintForm({ onMinted }: { readonly onMinted: (minted: MintedApiKey) => void }) {
  const mint = useCreateKey();
  const systems = useSystemNames();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<'dashboard' | 'probe'>('dashboard');
  const [systemId, setSystemId] = useState<string | null>(null);
  const [privileged, setPrivileged] = useState(false);
  const [addresses, setAddresses] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body =
      kind === 'probe'
        ? { name, kind, ...(systemId ? { system_id: systemId } : {}) }
        : { name, kind, ...(privileged ? { privileged } : {}) };
    mint.mutate({ ...body, allowed_addresses: addresses.match(/[^\s,]+/g) ?? [] }, { onSuccess: onMinted });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          description="What it is for, such as “CI of the shop”."
          required
          data-autofocus
          maxLength={100}
          value={name}
          error={fieldError(mint.error, 'name')}
          onChange={event => setName(event.currentTarget.value)}
        />
        <Radio.Group label="Kind" value={kind} onChange={value => setKind(value as typeof kind)}>
          <Stack gap="xs" mt="xs">
            <Radio
              value="dashboard"
              label="Dashboard key"
              description="For CI, scripts and a SIEM: reads findings, writes sources, starts scans, sends events."
            />
            <Radio
              value="probe"
              label="Probe key"
              description="For one probe or Shield of one system: sends events, reads nothing."
            />
          </Stack>
        </Radio.Group>
        {kind === 'probe' ? (
          <Select
            label="System"
            description="What it sends is about this system."
            placeholder={
              systems.data?.size === 0 ? 'There is no system yet: add one first' : 'Choose a system'
            }
            required
            searchable
            data={[...(systems.data ?? [])].map(([value, label]) => ({ value, label }))}
            value={systemId}
            error={fieldError(mint.error, 'system_id')}
            onChange={setSystemId}
            nothingFoundMessage="No such system"
          />
        ) : (
          <Switch
            label="May store database credentials (sources:privileged)"
            checked={privileged}
            onChange={event => setPrivileged(event.currentTarget.checked)}
          />
        )}
        {kind === 'dashboard' && privileged && (
          <Alert color="orange" variant="light" title="Only for what needs it">
            Whoever has this key can hand Parapet credentials of databases and of Supabase projects, with
            which it then connects. Leave it off for keys that read findings or start scans.
          </Alert>
        )}
        <Textarea
          label="Allowed addresses"
          description="Optional. IPv4 or IPv6 addresses and CIDRs, one per line. Requests from other addresses are refused. Can't be changed later."
          placeholder="203.0.113.0/24"
          autosize
          minRows={2}
          maxRows={6}
          spellCheck={false}
          autoComplete="off"
          value={addresses}
          error={fieldError(mint.error, 'allowed_addresses')}
          onChange={event => setAddresses(event.currentTarget.value)}
        />
        <FormError error={mint.error} />
        <Text size="sm" c="dimmed">
          You will be asked for your second factor, unless you gave it within the last five minutes.
        </Text>
        <Button type="submit" loading={mint.isPending}>
          Mint the key
        </Button>
      </Stack>
    </form>
  );
}
