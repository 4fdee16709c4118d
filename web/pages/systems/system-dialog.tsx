import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SystemRow } from '../../../src/contract/dashboard/systems.ts';
import { useChangeSystem, useCreateSystem } from '../../api/systems.ts';
import { succeed } from '../../components/succeed.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { fieldError } from '../../forms/form-error.tsx';
import { environmentLabels, kindLabels, options } from './words.ts';

interface Props {
  /** The one to change; a new one where there is none. */
  readonly system?: SystemRow;
  readonly onClose: () => void;
}

export function SystemDialog({ system, onClose }: Props) {
  const create = useCreateSystem();
  const change = useChangeSystem();
  const act = system ? change : create;
  const [name, setName] = useState(system?.name ?? '');
  const [kind, setKind] = useState<SystemRow['kind']>(system?.kind ?? 'application');
  const [environment, setEnvironment] = useState<SystemRow['environment']>(
    system?.environment ?? 'production',
  );
  const submit = () => {
    const body = { name, kind, environment };
    const onSuccess = () => {
      succeed(system ? `${name} is changed` : `${name} is added`);
      onClose();
    };
    if (system) change.mutate({ id: system.id, ...body }, { onSuccess });
    else create.mutate(body, { onSuccess });
  };
  const title = system ? `Change ${system.name}` : 'Add a system';
  return (
    <FormDialog
      title={title}
      submitLabel={system ? 'Save' : 'Add system'}
      act={act}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="As your people call it, such as “Patient portal”."
        required
        data-autofocus
        maxLength={200}
        value={name}
        error={fieldError(act.error, 'name')}
        onChange={event => setName(event.currentTarget.value)}
      />
      <Select
        label="Kind"
        allowDeselect={false}
        data={options(kindLabels)}
        value={kind}
        onChange={value => value && setKind(value as typeof kind)}
      />
      <Select
        label="Environment"
        allowDeselect={false}
        data={options(environmentLabels)}
        value={environment}
        onChange={value => value && setEnvironment(value as typeof environment)}
      />
    </FormDialog>
  );
}
