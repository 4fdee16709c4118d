import { Button, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { SourceKind } from '../../../src/contract/sources.ts';
import { choicesOf } from '../../components/choices.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { Select } from '../../later/select-field.tsx';
import { ScanUser } from '../sources/scan-user.tsx';
import { hostLabels, kindLabels } from '../sources/source-labels.ts';
import { tidyHost } from '../sources/tidy-host.ts';
import { hasLogin } from './probe-block.ts';
import type { TargetDraft } from './target-draft.ts';

interface Props {
  readonly draft: TargetDraft;
  /** Where the service reports errors of a new source: `new_sources.0`. */
  readonly path: string;
  readonly error: Error | null;
  readonly onChange: (changes: Partial<TargetDraft>) => void;
  readonly onRemove: () => void;
}

const kinds = choicesOf(kindLabels);

/** One target of a new probe: an existing source, or the fields of a new one. */
export function TargetFields({ draft, path, error, onChange, onRemove }: Props) {
  const { kind, name, host, sourceId } = draft;
  const { label, description } = hostLabels[kind];
  return (
    <Stack
      gap="sm"
      component="fieldset"
      m={0}
      p="md"
      style={{ border: '1px solid var(--line)', minWidth: 0 }}
    >
      <Text component="legend" className="visually-hidden">
        {name || 'New target'}
      </Text>
      <Group justify="space-between">
        <Text fw={600}>{sourceId ? name : 'New source'}</Text>
        <Button variant="subtle" size="xs" onClick={onRemove}>
          Remove
        </Button>
      </Group>
      {sourceId ? (
        <Dimmed>
          {kindLabels[kind]}, {host}
        </Dimmed>
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <Select
            label="Type"
            allowDeselect={false}
            data={kinds}
            value={kind}
            onChange={value => value && onChange({ kind: value as SourceKind })}
          />
          <TextField
            label="Display name"
            required
            maxLength={200}
            value={name}
            path={`${path}.name`}
            error={error}
            onChange={value => onChange({ name: value })}
          />
          <TextField
            label={label}
            placeholder={description}
            required
            maxLength={2048}
            autoCapitalize="none"
            spellCheck={false}
            value={host}
            path={`${path}.host`}
            error={error}
            onChange={value => onChange({ host: value })}
            onBlur={() => onChange({ host: tidyHost(kind, host).host })}
          />
        </SimpleGrid>
      )}
      {hasLogin(kind) && <LoginFields draft={draft} onChange={onChange} />}
    </Stack>
  );
}

function LoginFields({ draft: { kind, user, database, tls }, onChange }: Pick<Props, 'draft' | 'onChange'>) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextField
          label={kind === 'redis' ? 'User' : 'Database user'}
          required
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          value={user}
          onChange={value => onChange({ user: value })}
        />
        {kind === 'postgres' && (
          <TextField
            label="Database"
            required
            maxLength={200}
            spellCheck={false}
            autoComplete="off"
            value={database}
            onChange={value => onChange({ database: value })}
          />
        )}
      </SimpleGrid>
      <ScanUser kind={kind} />
      <Checkbox
        label="Require TLS with a trusted certificate"
        description={
          tls ? undefined : 'Without TLS, the password and all answers cross the network unencrypted.'
        }
        checked={tls}
        onChange={event => onChange({ tls: event.currentTarget.checked })}
      />
    </>
  );
}
