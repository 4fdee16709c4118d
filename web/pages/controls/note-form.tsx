import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useWriteNote } from '../../api/controls.ts';
import { notify } from '../../components/notify.ts';
import { FormError } from '../../forms/form-error.tsx';
import { TextAreaField } from '../../forms/text-area-field.tsx';

interface Props {
  readonly citation: string;
  readonly current: string | null;
  readonly onDone: () => void;
}

export function NoteForm({ citation, current, onDone }: Props) {
  const write = useWriteNote(citation);
  const [text, setText] = useState(current ?? '');
  const save = (note: string | null) =>
    write.mutate(note, {
      onSuccess: () => {
        notify(note === null ? 'Note deleted' : 'Note saved');
        onDone();
      },
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(text);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <TextAreaField
          aria-label="Note"
          required
          minRows={3}
          maxRows={14}
          maxLength={4000}
          autoFocus
          value={text}
          path="note"
          error={write.error}
          onChange={setText}
        />
        <FormError error={write.error} />
        <Group gap="xs">
          <Button type="submit" size="xs" loading={write.isPending}>
            Save note
          </Button>
          <Button size="xs" variant="default" onClick={onDone}>
            Cancel
          </Button>
          {current && (
            <Button size="xs" variant="subtle" color="red" onClick={() => save(null)}>
              Delete note
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
