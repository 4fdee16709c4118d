import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { FindingComment } from '../../../src/contract/dashboard/finding-work.ts';
import { useChangeComment, useComment, useFindingPeople } from '../../api/finding-work.ts';
import { notify } from '../../components/notify.ts';
import { FormError } from '../../forms/form-error.tsx';
import { CommentField } from './comment-field.tsx';
import { mentionables, toBody, toText } from './mention-text.ts';

/** Adds a comment to a finding. */
export function NewComment({ findingId }: { readonly findingId: string }) {
  const people = mentionables(useFindingPeople().data ?? []);
  const comment = useComment();
  const [text, setText] = useState('');
  const send = () => {
    if (text.trim() === '' || comment.isPending) return;
    comment.mutate(
      { ids: [findingId], body: toBody(text, people) },
      {
        onSuccess: () => {
          setText('');
          notify('Comment added');
        },
      },
    );
  };
  return (
    <Stack gap="xs">
      <CommentField label="New comment" value={text} onChange={setText} people={people} onSubmit={send} />
      <FormError error={comment.error} />
      {text.trim() !== '' && (
        <Group gap="xs">
          <Button size="xs" loading={comment.isPending} onClick={send}>
            Comment
          </Button>
        </Group>
      )}
    </Stack>
  );
}

interface EditProps {
  readonly comment: FindingComment;
  readonly onClose: () => void;
}

/** Changes an own comment. */
export function EditComment({ comment, onClose }: EditProps) {
  const members = useFindingPeople().data ?? [];
  // Those who have left stay mentioned.
  const former = comment.mentions.filter(({ id }) => !members.some(member => member.id === id));
  const people = mentionables([...members, ...former]);
  const change = useChangeComment();
  const [edited, setEdited] = useState<string>();
  const text = edited ?? toText(comment.body, people);
  const save = () => {
    if (text.trim() === '' || change.isPending) return;
    change.mutate({ id: comment.id, body: toBody(text, people) }, { onSuccess: onClose });
  };
  return (
    <Stack gap="xs" mt={4}>
      <CommentField label="Comment" value={text} onChange={setEdited} people={people} onSubmit={save} />
      <FormError error={change.error} />
      <Group gap="xs">
        <Button size="xs" loading={change.isPending} disabled={text.trim() === ''} onClick={save}>
          Save comment
        </Button>
        <Button size="xs" variant="subtle" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
}
