import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import type { Credential, CredentialType } from '../../../src/contract/sources.ts';
import { useStoreCredential } from '../../api/sources.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { notify } from '../../components/notify.ts';
import { fieldError } from '../../forms/error-messages.ts';
import { handleSubmit } from '../../forms/form.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { Select } from '../../later/select-field.tsx';
import { credentialForms, dsnDescriptions } from './credential-fields.ts';
import { ScanUser } from './scan-user.tsx';

interface Props {
  readonly source: SourceDetail;
  readonly onStored?: () => void;
}

/** Stores a credential, which is encrypted and never shown again. */
export function CredentialForm({ source, onStored }: Props) {
  const store = useStoreCredential();
  const { types, allowed } = source.credential;
  const [type, setType] = useState<CredentialType>(types[0]!);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  if (!allowed) {
    return (
      <Alert color="orange" variant="light" title="Privileged connections are turned off">
        This service stores no database credentials. Ask your administrator to set
        PARAPET_PRIVILEGED_CONNECTIONS=on, or add the database again with a probe.
      </Alert>
    );
  }
  const { fields } = credentialForms[type];
  const submit = () => {
    const entered = fields.flatMap(({ name }) => (values[name] ? [[name, values[name]]] : []));
    const credential = { type, ...Object.fromEntries(entered) } as Credential;
    const onSuccess = () => {
      setValues({});
      notify('Credential stored');
      onStored?.();
    };
    store.mutate({ id: source.id, credential }, { onSuccess });
  };
  return (
    <form onSubmit={handleSubmit(submit)} autoComplete="off">
      <Stack gap="sm" maw={520}>
        {types.length > 1 && (
          <Select
            label="Type"
            allowDeselect={false}
            data={types.map(value => ({ value, label: credentialForms[value].label }))}
            value={type}
            onChange={value => value && setType(value as CredentialType)}
          />
        )}
        <ScanUser kind={source.kind} />
        {fields.map(({ name, label, secret, optional, description = dsnDescriptions[source.kind] }) => {
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
        <Dimmed>
          You'll be asked to confirm it's you. The credential is stored encrypted and never shown again.
        </Dimmed>
        <Button type="submit" w="fit-content" loading={store.isPending}>
          Store credential
        </Button>
      </Stack>
    </form>
  );
}
