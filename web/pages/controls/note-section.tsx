import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { ControlDetail, ControlNote } from '../../../src/contract/dashboard/controls.ts';
import { useWriteNote } from '../../api/controls.ts';
import { useOrganization } from '../../api/session.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { DrawerSection } from '../../components/drawer-section.tsx';
import { notify } from '../../components/notify.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { handleSubmit } from '../../forms/form.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { TextAreaField } from '../../forms/text-area-field.tsx';
import { useField } from '../../forms/use-field.ts';
import classes from './controls.module.css';
import { Earlier } from './earlier.tsx';

/** The note that owners and admins keep on a control, and its earlier versions. */
export function NoteSection({ detail }: { readonly detail: ControlDetail }) {
  const { canOperate } = useOrganization();
  const [editing, setEditing] = useState(false);
  const [latest, ...earlier] = detail.notes;
  const text = latest?.note ?? null;
  if (editing) {
    return (
      <DrawerSection title="Note">
        <NoteForm citation={detail.control.citation} current={text} onDone={() => setEditing(false)} />
      </DrawerSection>
    );
  }
  return (
    <DrawerSection
      title="Note"
      actions={
        canOperate && (
          <Button size="xs" variant="default" onClick={() => setEditing(true)}>
            {text ? 'Edit note' : 'Add note'}
          </Button>
        )
      }
    >
      {latest && text ? (
        <NoteView note={latest} />
      ) : (
        <Dimmed>No note yet. Use it for who is responsible and what the next reader should know.</Dimmed>
      )}
      <Earlier what="version" count={earlier.length}>
        {earlier.map(note => (
          <NoteView key={note.written_at} note={note} />
        ))}
      </Earlier>
    </DrawerSection>
  );
}

function NoteView({ note: { note, written_by, written_at } }: { readonly note: ControlNote }) {
  return (
    <Stack gap={4}>
      {note && <div className={classes.statement}>{note}</div>}
      <Dimmed size="xs">
        {note ? 'Written' : 'Deleted'} by {written_by ?? 'someone'} <RelativeTime at={written_at} />
      </Dimmed>
    </Stack>
  );
}

interface NoteFormProps {
  readonly citation: string;
  readonly current: string | null;
  readonly onDone: () => void;
}

function NoteForm({ citation, current, onDone }: NoteFormProps) {
  const write = useWriteNote(citation);
  const text = useField('note', current ?? '');
  const save = (note: string | null) =>
    write.mutate(note, {
      onSuccess: () => {
        notify(note === null ? 'Note deleted' : 'Note saved');
        onDone();
      },
    });
  return (
    <form onSubmit={handleSubmit(() => save(text.value))}>
      <Stack gap="xs">
        <TextAreaField
          aria-label="Note"
          required
          minRows={3}
          maxRows={14}
          maxLength={4000}
          autoFocus
          error={write.error}
          {...text}
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
