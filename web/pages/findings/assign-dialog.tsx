import { useState } from 'react';
import { useAssign, useFindingPeople } from '../../api/finding-work.ts';
import { counted } from '../../formats/numbers.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Select } from '../../later/select-field.tsx';
import { mentionables } from './mention-text.ts';
import { noOwner } from './owner-field.tsx';

interface Props {
  readonly ids: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Makes a member the owner of the selected findings, or removes their owner. */
export default function AssignDialog({ ids, onClose, onDone }: Props) {
  const people = mentionables(useFindingPeople().data ?? []);
  const assign = useAssign();
  const [owner, setOwner] = useState<string | null>(null);
  const what = counted(ids.length, 'finding');
  return (
    <FormDialog
      title={`Assign ${what}`}
      submitLabel={`Assign ${what}`}
      done={owner === noOwner ? `Owner of ${what} removed` : `${what} assigned`}
      mutation={assign}
      disabled={owner === null}
      onSubmit={({ onSuccess }) =>
        assign.mutate(
          { ids, owner_id: owner === noOwner ? null : owner },
          {
            onSuccess: () => {
              onDone();
              onSuccess();
            },
          },
        )
      }
      onClose={onClose}
    >
      <Select
        label="Owner"
        placeholder="Choose a person"
        required
        searchable
        nothingFoundMessage="No member has this name"
        data={[
          { value: noOwner, label: 'No owner' },
          ...people.map(({ id, label }) => ({ value: id, label })),
        ]}
        value={owner}
        onChange={setOwner}
      />
    </FormDialog>
  );
}
