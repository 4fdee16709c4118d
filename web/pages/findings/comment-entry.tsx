import { Group } from '@mantine/core';
import { useState } from 'react';
import type { FindingComment } from '../../../src/contract/dashboard/finding-work.ts';
import { useDeleteComment } from '../../api/finding-work.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { notify } from '../../components/notify.ts';
import { QuietButton } from '../../components/quiet-button.tsx';
import { CommentBody } from './comment-body.tsx';
import { EditComment } from './comment-form.tsx';

/** A comment in the history. People can edit and delete their own. */
export function CommentEntry({ comment }: { readonly comment: FindingComment }) {
  const remove = useDeleteComment();
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  if (editing) return <EditComment comment={comment} onClose={() => setEditing(false)} />;
  return (
    <>
      <CommentBody body={comment.body} mentions={comment.mentions} />
      {comment.mine && (
        <Group gap="sm" mt={4}>
          <QuietButton onClick={() => setEditing(true)}>Edit</QuietButton>
          <QuietButton onClick={() => setDeleting(true)}>Delete…</QuietButton>
        </Group>
      )}
      <ConfirmDialog
        opened={deleting}
        onClose={() => setDeleting(false)}
        title="Delete comment?"
        confirmLabel="Delete comment"
        danger
        aboveDrawer
        onConfirm={async () => {
          await remove.mutateAsync(comment.id);
          notify('Comment deleted');
        }}
      >
        Its text is deleted for everyone. The audit log records that you deleted a comment.
      </ConfirmDialog>
    </>
  );
}
