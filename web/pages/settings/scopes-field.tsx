import { Alert, Checkbox, Input, Stack } from '@mantine/core';
import type { DashboardScope } from '../../../src/contract/keys.ts';
import { Mono } from '../../components/mono.tsx';
import { fieldError } from '../../forms/error-messages.ts';

const texts: Readonly<Record<DashboardScope, string>> = {
  'findings:read': 'Read systems, sources, findings and scans',
  'scans:write': 'Start scans of authorized sources',
  'sources:write': 'Create systems and sources, test connections, authorize scans, disconnect',
  ingest: 'Send events of probes and Shield',
};
export const defaultScopes = Object.keys(texts) as DashboardScope[];

interface Props {
  readonly scopes: readonly DashboardScope[];
  readonly privileged: boolean;
  readonly onChange: (chosen: { scopes: DashboardScope[]; privileged: boolean }) => void;
  readonly error: Error | null;
}

/** The scopes of a dashboard key. */
export function ScopesField({ scopes, privileged, onChange, error }: Props) {
  const canStore = scopes.includes('sources:write');
  const choose = (scope: DashboardScope, isChosen: boolean) => {
    const chosen = defaultScopes.filter(one => (one === scope ? isChosen : scopes.includes(one)));
    onChange({ scopes: chosen, privileged: privileged && chosen.includes('sources:write') });
  };
  return (
    <Input.Wrapper
      component="fieldset"
      label="Scopes"
      labelElement="div"
      description="What the key can do. Can't be changed later."
      error={fieldError(error, 'scopes') ?? (scopes.length === 0 && 'Choose at least one scope')}
      style={{ border: 0, margin: 0, padding: 0 }}
    >
      <Stack gap="xs" mt="xs">
        {defaultScopes.map(scope => (
          <Checkbox
            key={scope}
            label={<Mono>{scope}</Mono>}
            description={texts[scope]}
            checked={scopes.includes(scope)}
            onChange={event => choose(scope, event.currentTarget.checked)}
          />
        ))}
        <Checkbox
          label={<Mono>sources:privileged</Mono>}
          description="Store credentials of databases and Supabase projects. Requires sources:write."
          checked={privileged}
          disabled={!canStore}
          error={fieldError(error, 'privileged')}
          onChange={event => onChange({ scopes: [...scopes], privileged: event.currentTarget.checked })}
        />
        {privileged && (
          <Alert color="orange" variant="light" title="Privileged scope">
            This key can store credentials of databases and Supabase projects, which Parapet then connects to.
            Leave it off for keys that only read findings or run scans.
          </Alert>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
