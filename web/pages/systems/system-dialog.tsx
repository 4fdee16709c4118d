import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { SystemRow } from '../../../src/contract/dashboard/systems.ts';
import { useChangeSystem, useCreateSystem } from '../../api/systems.ts';
import { succeed } from '../../components/succeed.ts';
import { FormError, fieldError } from '../../forms/form-error.tsx';
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
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
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <Stack>
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
          <FormError error={act.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={act.isPending}>
              {system ? 'Save' : 'Add system'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
