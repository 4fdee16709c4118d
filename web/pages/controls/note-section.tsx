import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import type { ControlDetail, ControlNote } from '../../../src/contract/dashboard/controls.ts';
import { useOrganization } from '../../api/session.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { DrawerSection } from '../../components/drawer-section.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import classes from './controls.module.css';
import { Earlier } from './earlier.tsx';
import { NoteForm } from './note-form.tsx';

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
