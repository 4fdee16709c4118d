import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ControlDetail, ControlNote } from '../../../src/contract/dashboard/controls.ts';
import { useWriteNote } from '../../api/controls.ts';
import { useOrganization } from '../../api/session.ts';
import { QuietButton } from '../../components/quiet-button.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { succeed } from '../../components/succeed.ts';
import { FormError, fieldError } from '../../forms/form-error.tsx';
import classes from './controls.module.css';
import { Part } from './part.tsx';

/** What owners and admins note about the control: the newest counts, those before are its history. */
export function ControlNotes({ detail }: { readonly detail: ControlDetail }) {
  const { canOperate } = useOrganization();
  const [editing, setEditing] = useState(false);
  const [history, setHistory] = useState(false);
  const [newest, ...older] = detail.notes;
  const current = newest?.note ?? null;
  return (
    <Part
      title="Note"
      actions={
        canOperate &&
        !editing && (
          <Button size="xs" variant="default" onClick={() => setEditing(true)}>
            {current ? 'Change note' : 'Write a note'}
          </Button>
        )
      }
    >
      {editing ? (
        <NoteForm citation={detail.control.citation} current={current} onDone={() => setEditing(false)} />
      ) : newest && current ? (
        <One note={newest} />
      ) : (
        <Text c="dimmed" size="sm">
          No note. It is the place for who is responsible, and what the next reader has to know.
        </Text>
      )}
      {older.length > 0 && !editing && (
        <QuietButton onClick={() => setHistory(!history)}>
          {history ? 'Hide earlier versions' : `Show ${older.length} earlier`}
        </QuietButton>
      )}
      {history && !editing && older.map(note => <One key={note.written_at} note={note} />)}
    </Part>
  );
}

function One({ note }: { readonly note: ControlNote }) {
  return (
    <Stack gap={4}>
      {note.note && <div className={classes.statement}>{note.note}</div>}
      <Text size="xs" c="dimmed">
        {note.written_by ?? 'Somebody'} {note.note ? 'wrote it' : 'took the note away'}{' '}
        <RelativeTime at={note.written_at} />
      </Text>
    </Stack>
  );
}

interface FormProps {
  readonly citation: string;
  readonly current: string | null;
  readonly onDone: () => void;
}

function NoteForm({ citation, current, onDone }: FormProps) {
  const write = useWriteNote(citation);
  const [text, setText] = useState(current ?? '');
  const keep = (note: string | null) =>
    write.mutate(note, {
      onSuccess: () => {
        succeed(note === null ? 'The note is taken away' : 'The note is kept');
        onDone();
      },
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    keep(text);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Textarea
          aria-label="Note"
          required
          autosize
          minRows={3}
          maxRows={14}
          maxLength={4000}
          autoFocus
          value={text}
          error={fieldError(write.error, 'note')}
          onChange={event => setText(event.currentTarget.value)}
        />
        <FormError error={write.error} />
        <Group gap="xs">
          <Button type="submit" size="xs" loading={write.isPending}>
            Keep note
          </Button>
          <Button size="xs" variant="default" onClick={onDone}>
            Cancel
          </Button>
          {current && (
            <Button size="xs" variant="subtle" color="red" onClick={() => keep(null)}>
              Take the note away
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
