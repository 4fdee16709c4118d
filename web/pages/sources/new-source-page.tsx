import { Button, Group, Radio, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { SourceKind } from '../../../src/contract/sources.ts';
import { useOrganization } from '../../api/session.ts';
import { useCreateSource } from '../../api/sources.ts';
import { useSystemNames } from '../../api/system-names.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { FormError, fieldError } from '../../forms/form-error.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import { NotFound } from '../not-found.tsx';
import { hostWords, kindLabels } from './words.ts';

/** The first step: what it is, and where. The others are on the source's own page, at any later time. */
export default function NewSourcePage() {
  const { canOperate } = useOrganization();
  const to = useOrganizationPaths();
  const systems = useSystemNames();
  if (!canOperate) return <NotFound />;
  return (
    <>
      <PageHeader
        title="Add a source"
        description="What it is and where. Nothing is sent to it yet: you read and accept its risk statement next."
        back={{ to: to.section('sources'), label: 'Sources' }}
      />
      <Loaded query={systems}>
        {names =>
          names.size === 0 ? (
            <EmptyState
              title="Add a system first"
              action={
                <Button component={Link} to={to.section('systems', { add: 'yes' })}>
                  Add a system
                </Button>
              }
            >
              A source belongs to a system, such as “Patient portal”.
            </EmptyState>
          ) : (
            <NewSourceForm systems={[...names].map(([value, label]) => ({ value, label }))} />
          )
        }
      </Loaded>
    </>
  );
}

function NewSourceForm({ systems }: { readonly systems: readonly { value: string; label: string }[] }) {
  const create = useCreateSource();
  const navigate = useNavigate();
  const to = useOrganizationPaths();
  const [kind, setKind] = useState<SourceKind>('website');
  const [mode, setMode] = useState<'direct' | 'probe'>('direct');
  const [systemId, setSystemId] = useState<string | null>(systems.length === 1 ? systems[0]!.value : null);
  const [name, setName] = useState('');
  const [host, setHost] = useState('');
  const words = hostWords[kind];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(
      { kind, name, host, system_id: systemId!, connection_mode: kind === 'website' ? 'direct' : mode },
      { onSuccess: ({ source }) => navigate(to.object('sources', source.id)) },
    );
  };
  return (
    <Section title="The source">
      <form onSubmit={submit}>
        <Stack maw={640}>
          <Radio.Group label="What it is" value={kind} onChange={value => setKind(value as SourceKind)}>
            <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs" spacing="xs">
              {(Object.keys(kindLabels) as SourceKind[]).map(value => (
                <Radio key={value} value={value} label={kindLabels[value]} />
              ))}
            </SimpleGrid>
          </Radio.Group>
          {kind !== 'website' && (
            <Radio.Group
              label="Who connects to it"
              value={mode}
              onChange={value => setMode(value as typeof mode)}
            >
              <Stack gap="xs" mt="xs">
                <Radio
                  value="direct"
                  label="Parapet"
                  description="With a credential that you store, encrypted, and that nothing shows again."
                />
                <Radio
                  value="probe"
                  label="A probe in your network"
                  description="The credential stays there. The probe sends what it sees, and no rows."
                />
              </Stack>
            </Radio.Group>
          )}
          <Select
            label="System"
            description="What it is part of."
            placeholder="Choose a system"
            required
            searchable
            data={[...systems]}
            value={systemId}
            error={fieldError(create.error, 'system_id')}
            onChange={setSystemId}
            nothingFoundMessage="No such system"
          />
          <TextInput
            label="Name"
            description="As people will know it, such as “Portal front”."
            required
            maxLength={200}
            value={name}
            error={fieldError(create.error, 'name')}
            onChange={event => setName(event.currentTarget.value)}
          />
          <TextInput
            label={words.label}
            description={words.description}
            placeholder={words.placeholder}
            required
            maxLength={2048}
            autoCapitalize="none"
            spellCheck={false}
            value={host}
            error={fieldError(create.error, 'host')}
            onChange={event => setHost(event.currentTarget.value)}
          />
          <FormError error={create.error} />
          <Group gap="xs">
            <Button type="submit" loading={create.isPending} disabled={!systemId}>
              Continue
            </Button>
            <Text size="sm" c="dimmed">
              Next: the risk statement
            </Text>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
