import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { FindingView, SaveFindingView } from '../../../src/contract/dashboard/views.ts';
import { useChangeView, useSaveView } from '../../api/views.ts';
import { notify } from '../../components/notify.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { TextField } from '../../forms/text-field.tsx';

interface Props {
  readonly filters: SaveFindingView['filters'];
  /** The person's own views. A new one with the same name replaces it. */
  readonly mine: readonly FindingView[];
  readonly onClose: () => void;
}

export function SaveViewDialog({ filters, mine, onClose }: Props) {
  const save = useSaveView();
  const change = useChangeView();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const replaced = mine.find(view => view.name === name);
  const mutation = replaced ? change : save;
  const submit = () => {
    const body = { name, filters, shared };
    const onSuccess = () => {
      notify('View saved');
      onClose();
    };
    if (replaced) change.mutate({ id: replaced.id, ...body }, { onSuccess });
    else save.mutate(body, { onSuccess });
  };
  return (
    <FormDialog
      title="Save current filters as a view"
      submitLabel={replaced ? 'Replace view' : 'Save view'}
      mutation={mutation}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        data-autofocus
        maxLength={100}
        value={name}
        path="name"
        error={mutation.error}
        onChange={setName}
      />
      <Checkbox
        label="Share with everyone in the organization"
        checked={shared}
        onChange={event => setShared(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
