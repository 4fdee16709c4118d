import { Button, Group, Radio, SimpleGrid, Stack } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { SourceKind } from '../../../src/contract/sources.ts';
import { useCreateSource } from '../../api/sources.ts';
import { choicesOf } from '../../components/choices.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { Section } from '../../components/section.tsx';
import { handleSubmit } from '../../forms/form.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { SystemField } from '../../forms/system-field.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useField } from '../../forms/use-field.ts';
import { useOrganizationPaths } from '../../paths.ts';
import { hostLabels, kindLabels } from './source-labels.ts';
import { tidyHost } from './tidy-host.ts';

/** @param given the system that is chosen at first */
export function NewSourceForm({ systemId: given }: { readonly systemId: string | null }) {
  const create = useCreateSource();
  const navigate = useNavigate();
  const to = useOrganizationPaths();
  const [kind, setKind] = useState<SourceKind>('website');
  const [mode, setMode] = useState<'direct' | 'probe'>('direct');
  const [systemId, setSystemId] = useState(given);
  const name = useField('name');
  const [host, setHost] = useState('');
  const submit = () =>
    create.mutate(
      {
        kind,
        name: name.value,
        host: tidyHost(kind, host).host,
        system_id: systemId!,
        connection_mode: mode,
      },
      { onSuccess: ({ source }) => navigate(to.object('sources', source.id)) },
    );
  return (
    <Section title="Source">
      <form onSubmit={handleSubmit(submit)}>
        <Stack maw={640}>
          <Radio.Group label="Type" value={kind} onChange={value => setKind(value as SourceKind)}>
            <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs" spacing="xs">
              {choicesOf(kindLabels).map(({ value, label }) => (
                <Radio key={value} value={value} label={label} />
              ))}
            </SimpleGrid>
          </Radio.Group>
          <ConnectionMode kind={kind} value={mode} onChange={setMode} />
          <SystemField value={systemId} error={create.error} onChange={setSystemId} />
          <TextField
            label="Display name"
            description="e.g. “Portal website”"
            required
            maxLength={200}
            error={create.error}
            {...name}
          />
          <HostField kind={kind} value={host} error={create.error} onChange={setHost} />
          <FormError error={create.error} />
          <Group gap="xs">
            <Button type="submit" loading={create.isPending} disabled={!systemId}>
              Continue
            </Button>
            <Dimmed>Next: risk statement</Dimmed>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

type Mode = 'direct' | 'probe';

interface ModeProps {
  readonly kind: SourceKind;
  readonly value: Mode;
  readonly onChange: (mode: Mode) => void;
}

function ConnectionMode({ kind, value, onChange }: ModeProps) {
  return (
    <Radio.Group label="Connection" value={value} onChange={mode => onChange(mode as Mode)}>
      <Stack gap="xs" mt="xs">
        <Radio
          value="direct"
          label="Direct"
          description={
            kind === 'website'
              ? 'Parapet connects without a credential. Add one to scan pages that require a login: it is stored encrypted and never shown again.'
              : 'Parapet connects with a credential, which is stored encrypted and never shown again.'
          }
        />
        <Radio
          value="probe"
          label="Probe in your network"
          description="The probe connects and sends its results. The credential and your data stay in your network."
        />
      </Stack>
    </Radio.Group>
  );
}

interface HostFieldProps {
  readonly kind: SourceKind;
  readonly value: string;
  readonly onChange: (host: string) => void;
  readonly error: Error | null;
}

/** The host of a source. On blur, the field removes a query or fragment and says so. */
function HostField({ kind, value, onChange, error }: HostFieldProps) {
  const [removed, setRemoved] = useState<string>();
  const { label, description } = hostLabels[kind];
  const tidy = () => {
    const result = tidyHost(kind, value);
    if (result.host !== value) onChange(result.host);
    if (result.removed) setRemoved(result.removed);
  };
  return (
    <TextField
      label={label}
      description={
        <span role="status">
          {removed ? `Removed “${removed}”. Sources don't include a query or fragment.` : description}
        </span>
      }
      required
      maxLength={2048}
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      path="host"
      error={error}
      onChange={host => {
        setRemoved(undefined);
        onChange(host);
      }}
      onBlur={tidy}
    />
  );
}
