import { useState } from 'react';
import { useComment, useFindingPeople } from '../../api/finding-work.ts';
import { counted } from '../../formats/numbers.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { CommentField } from './comment-field.tsx';
import { mentionables, toBody } from './mention-text.ts';

interface Props {
  readonly ids: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Adds the same comment to each of the selected findings. */
export default function CommentDialog({ ids, onClose, onDone }: Props) {
  const people = mentionables(useFindingPeople().data ?? []);
  const comment = useComment();
  const [text, setText] = useState('');
  const what = counted(ids.length, 'finding');
  const send = (onSuccess: () => void) => {
    const done = () => {
      onDone();
      onSuccess();
    };
    if (text.trim() !== '') comment.mutate({ ids, body: toBody(text, people) }, { onSuccess: done });
  };
  return (
    <FormDialog
      title={`Comment on ${what}`}
      submitLabel={`Comment on ${what}`}
      done="Comment added"
      mutation={comment}
      disabled={text.trim() === ''}
      onSubmit={({ onSuccess }) => send(onSuccess)}
      onClose={onClose}
    >
      <CommentField
        label="Comment"
        value={text}
        onChange={setText}
        people={people}
        autoFocus
        onSubmit={() => send(onClose)}
      />
    </FormDialog>
  );
}
