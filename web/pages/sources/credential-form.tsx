import { Alert, Button, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import type { Credential, CredentialType } from '../../../src/contract/sources.ts';
import { useStoreCredential } from '../../api/sources.ts';
import { succeed } from '../../components/succeed.ts';
import { FormError, fieldError } from '../../forms/form-error.tsx';

interface Field {
  readonly name: string;
  readonly label: string;
  readonly secret?: true;
  readonly optional?: true;
  readonly description?: string;
}

/** What each type of credential is made of. */
const fields: Record<CredentialType, { readonly label: string; readonly fields: readonly Field[] }> = {
  basic: {
    label: 'User name and password (HTTP Basic)',
    fields: [
      { name: 'username', label: 'User name' },
      { name: 'password', label: 'Password', secret: true },
    ],
  },
  header: {
    label: 'A request header',
    fields: [
      { name: 'name', label: 'Header', description: 'Such as Authorization or X-Api-Key' },
      { name: 'value', label: 'Value', secret: true },
    ],
  },
  dsn: {
    label: 'Connection string',
    fields: [
      {
        name: 'dsn',
        label: 'Connection string',
        secret: true,
        description: 'Such as postgresql://role:password@host:5432/database. Its host is that of the source.',
      },
    ],
  },
  service_role: {
    label: 'Service role',
    fields: [
      { name: 'url', label: 'Project URL', description: 'https://…supabase.co' },
      { name: 'key', label: 'Service-role or secret key', secret: true },
      {
        name: 'anon_key',
        label: 'Public anon or publishable key',
        secret: true,
        optional: true,
        description: 'Without it nothing is known of what strangers may do.',
      },
    ],
  },
};

/** Stored encrypted, shown never again. The service asks for a fresh second factor. */
export function CredentialForm({
  source,
  onStored,
}: {
  readonly source: SourceDetail;
  readonly onStored?: () => void;
}) {
  const store = useStoreCredential();
  const { types, allowed } = source.credential;
  const [type, setType] = useState<CredentialType>(types[0]!);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  if (!allowed) {
    return (
      <Alert color="orange" variant="light" title="Privileged connections are switched off">
        This service may not hold credentials of databases. Whoever operates it can switch that on with
        PARAPET_PRIVILEGED_CONNECTIONS=on; or add the database as one that a probe assesses.
      </Alert>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = fields[type].fields.flatMap(({ name }) => (values[name] ? [[name, values[name]]] : []));
    const credential = { type, ...Object.fromEntries(given) } as Credential;
    store.mutate(
      { id: source.id, credential },
      {
        onSuccess: () => {
          setValues({});
          succeed('The credential is stored');
          onStored?.();
        },
      },
    );
  };
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack gap="sm" maw={520}>
        {types.length > 1 && (
          <Select
            label="Type"
            allowDeselect={false}
            data={types.map(value => ({ value, label: fields[value].label }))}
            value={type}
            onChange={value => value && setType(value as CredentialType)}
          />
        )}
        {fields[type].fields.map(({ name, label, secret, optional, description }) => {
          const Input = secret ? PasswordInput : TextInput;
          return (
            <Input
              key={`${type} ${name}`}
              label={label}
              {...(description ? { description } : {})}
              required={!optional}
              autoComplete="off"
              spellCheck={false}
              maxLength={4096}
              value={values[name] ?? ''}
              error={fieldError(store.error, `credential.${name}`)}
              onChange={event => setValues({ ...values, [name]: event.currentTarget.value })}
            />
          );
        })}
        <FormError error={store.error} />
        <Text size="sm" c="dimmed">
          You will be asked for your second factor. Nothing shows the credential again.
        </Text>
        <Button type="submit" w="fit-content" loading={store.isPending}>
          Store the credential
        </Button>
      </Stack>
    </form>
  );
}
