import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { FindingView, SaveFindingView } from '../../../src/contract/dashboard/views.ts';
import { useChangeView, useSaveView } from '../../api/views.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useField } from '../../forms/use-field.ts';

interface Props {
  readonly filters: SaveFindingView['filters'];
  /** The person's own views. A new one with the same name replaces it. */
  readonly mine: readonly FindingView[];
  readonly onClose: () => void;
}

export default function SaveViewDialog({ filters, mine, onClose }: Props) {
  const save = useSaveView();
  const change = useChangeView();
  const name = useField('name');
  const [shared, setShared] = useState(false);
  const replaced = mine.find(view => view.name === name.value);
  const mutation = replaced ? change : save;
  const body = { name: name.value, filters, shared };
  return (
    <FormDialog
      title="Save current filters as a view"
      submitLabel={replaced ? 'Replace view' : 'Save view'}
      mutation={mutation}
      onSubmit={options =>
        replaced ? change.mutate({ id: replaced.id, ...body }, options) : save.mutate(body, options)
      }
      done="View saved"
      onClose={onClose}
    >
      <TextField label="Name" required data-autofocus maxLength={100} error={mutation.error} {...name} />
      <Checkbox
        label="Share with everyone in the organization"
        checked={shared}
        onChange={event => setShared(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
