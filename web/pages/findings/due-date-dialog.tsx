import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useChangeDueDates } from '../../api/finding-work.ts';
import { day, utcDate } from '../../formats/dates.ts';
import { counted } from '../../formats/numbers.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useField } from '../../forms/use-field.ts';

interface Props {
  readonly ids: readonly string[];
  /** The date that it has now. */
  readonly dueOn?: string | null | undefined;
  readonly onClose: () => void;
  readonly onDone?: () => void;
  readonly aboveDrawer?: boolean;
}

/** Sets a due date, or that of the policy again. */
export default function DueDateDialog({ ids, dueOn, onClose, onDone, aboveDrawer }: Props) {
  const change = useChangeDueDates();
  const date = useField('due_on', () => dueOn ?? utcDate(Date.now() + 7 * day));
  const [byPolicy, setByPolicy] = useState(false);
  const what = ids.length === 1 ? 'finding' : counted(ids.length, 'finding');
  return (
    <FormDialog
      title={ids.length === 1 ? 'Due date' : `Due date of ${what}`}
      submitLabel="Save due date"
      done="Due date saved"
      mutation={change}
      onSubmit={({ onSuccess }) =>
        change.mutate(
          { ids, due_on: byPolicy ? null : date.value },
          {
            onSuccess: () => {
              onDone?.();
              onSuccess();
            },
          },
        )
      }
      onClose={onClose}
      {...(aboveDrawer ? { aboveDrawer } : {})}
    >
      <TextField
        label="Due date"
        description="The end of this day in UTC, at most 730 days from now"
        type="date"
        required
        disabled={byPolicy}
        min={utcDate(Date.now())}
        max={utcDate(Date.now() + 730 * day)}
        error={change.error}
        {...date}
      />
      <Checkbox
        label="Use the date of the policy"
        description="It follows from the severity and when the problem was detected."
        checked={byPolicy}
        onChange={event => setByPolicy(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
