import { useState } from 'react';
import type { SystemRow } from '../../../src/contract/dashboard/systems.ts';
import { useChangeSystem, useCreateSystem } from '../../api/systems.ts';
import { choicesOf } from '../../components/choices.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useField } from '../../forms/use-field.ts';
import { Select } from '../../later/select-field.tsx';
import { environmentLabels, kindLabels } from './system-labels.ts';

interface Props {
  /** The system to edit; left out to add one. */
  readonly system?: SystemRow;
  readonly onClose: () => void;
}

export default function SystemDialog({ system, onClose }: Props) {
  const create = useCreateSystem();
  const change = useChangeSystem();
  const mutation = system ? change : create;
  const name = useField('name', system?.name);
  const [kind, setKind] = useState<SystemRow['kind']>(system?.kind ?? 'application');
  const [environment, setEnvironment] = useState<SystemRow['environment']>(
    system?.environment ?? 'production',
  );
  const body = { name: name.value, kind, environment };
  return (
    <FormDialog
      title={system ? `Edit ${system.name}` : 'Add system'}
      submitLabel={system ? 'Save' : 'Add system'}
      mutation={mutation}
      onSubmit={options =>
        system ? change.mutate({ id: system.id, ...body }, options) : create.mutate(body, options)
      }
      done={`${name.value} ${system ? 'saved' : 'added'}`}
      onClose={onClose}
    >
      <TextField
        label="Name"
        description="e.g. “Patient portal”"
        required
        data-autofocus
        maxLength={200}
        error={mutation.error}
        {...name}
      />
      <Select
        label="Type"
        allowDeselect={false}
        data={choicesOf(kindLabels)}
        value={kind}
        onChange={value => value && setKind(value as typeof kind)}
      />
      <Select
        label="Environment"
        allowDeselect={false}
        data={choicesOf(environmentLabels)}
        value={environment}
        onChange={value => value && setEnvironment(value as typeof environment)}
      />
    </FormDialog>
  );
}
