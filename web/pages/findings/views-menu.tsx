import { Button } from '@mantine/core';
import { IconBookmark, IconChevronDown, IconTrash, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import type { FindingView, SaveFindingView } from '../../../src/contract/dashboard/views.ts';
import { useOrganization } from '../../api/session.ts';
import { useDeleteView, useViews } from '../../api/views.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { laterPart } from '../../later/later.ts';
import { MenuButton } from '../../later/menu-button.tsx';

const SaveViewDialog = laterPart(() => import('./save-view-dialog.tsx'));

interface Props {
  readonly filters: SaveFindingView['filters'];
  readonly onOpen: (filters: SaveFindingView['filters']) => void;
}

/** Saved filters: the person's own, and those that others share. */
export function ViewsMenu({ filters, onOpen }: Props) {
  const views = useViews();
  const { canOperate } = useOrganization();
  const remove = useDeleteView();
  const [saving, setSaving] = useState(false);
  const [deleting, setDeleting] = useState<FindingView>();
  const saved = views.data?.views ?? [];
  const deletable = saved.filter(({ mine, shared }) => mine || (canOperate && shared));
  return (
    <>
      <MenuButton
        position="bottom-end"
        width={260}
        button={
          <Button
            variant="default"
            leftSection={<IconBookmark size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            Views
          </Button>
        }
      >
        {Menu => (
          <>
            {saved.map(view => (
              <Menu.Item
                key={view.id}
                onClick={() => onOpen(view.filters)}
                rightSection={view.shared ? <IconUsers size={14} aria-label="Shared" /> : null}
              >
                {titleOf(view)}
              </Menu.Item>
            ))}
            {saved.length > 0 && <Menu.Divider />}
            <Menu.Item onClick={() => setSaving(true)}>Save current filters…</Menu.Item>
            {deletable.length > 0 && (
              <>
                <Menu.Divider />
                <Menu.Label>Delete</Menu.Label>
                {deletable.map(view => (
                  <Menu.Item
                    key={view.id}
                    leftSection={<IconTrash size={14} aria-hidden />}
                    onClick={() => setDeleting(view)}
                  >
                    Delete {titleOf(view)}…
                  </Menu.Item>
                ))}
              </>
            )}
          </>
        )}
      </MenuButton>
      {saving && (
        <SaveViewDialog
          filters={filters}
          mine={saved.filter(({ mine }) => mine)}
          onClose={() => setSaving(false)}
        />
      )}
      <ConfirmDialog
        opened={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title={`Delete view ${deleting ? titleOf(deleting) : ''}?`}
        confirmLabel="Delete view"
        danger
        onConfirm={() => remove.mutateAsync(deleting!.id)}
      >
        {deleting?.shared
          ? 'This view is shared. It is deleted for everyone in the organization.'
          : 'This only deletes the view, not its findings.'}
      </ConfirmDialog>
    </>
  );
}

/** Shared views have their author, since two people may share views with the same name. */
function titleOf({ name, mine, by }: FindingView): string {
  return !mine && by ? `${name} (${by})` : name;
}
