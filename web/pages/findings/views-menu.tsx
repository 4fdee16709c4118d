import { Button, Checkbox, Menu, TextInput } from '@mantine/core';
import { IconBookmark, IconChevronDown, IconTrash, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import type { FindingView, SaveFindingView } from '../../../src/contract/dashboard/views.ts';
import { useOrganization } from '../../api/session.ts';
import { useChangeView, useDeleteView, useSaveView, useViews } from '../../api/views.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { succeed } from '../../components/succeed.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { fieldError } from '../../forms/form-error.tsx';

interface Props {
  readonly filters: SaveFindingView['filters'];
  readonly onOpen: (filters: SaveFindingView['filters']) => void;
}

/** Filters kept under a name: one's own, and those that others share. */
export function ViewsMenu({ filters, onOpen }: Props) {
  const views = useViews();
  const { canOperate } = useOrganization();
  const remove = useDeleteView();
  const [saving, setSaving] = useState(false);
  const [deleting, setDeleting] = useState<FindingView>();
  const kept = views.data ?? [];
  const deletable = kept.filter(({ mine, shared }) => mine || (canOperate && shared));
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconBookmark size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            Views
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {kept.map(view => (
            <Menu.Item
              key={view.id}
              onClick={() => onOpen(view.filters)}
              rightSection={view.shared ? <IconUsers size={14} aria-label="Shared" /> : null}
            >
              {titleOf(view)}
            </Menu.Item>
          ))}
          {kept.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={() => setSaving(true)}>Save these filters…</Menu.Item>
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
        </Menu.Dropdown>
      </Menu>
      {saving && (
        <SaveDialog
          filters={filters}
          mine={kept.filter(({ mine }) => mine)}
          onClose={() => setSaving(false)}
        />
      )}
      <ConfirmDialog
        opened={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title={`Delete the view ${deleting ? titleOf(deleting) : ''}?`}
        confirmLabel="Delete view"
        danger
        onConfirm={() => remove.mutateAsync(deleting!.id)}
      >
        {deleting?.shared ? 'Everyone in the organization loses it.' : 'No finding changes.'}
      </ConfirmDialog>
    </>
  );
}

/** With the author of what others share: two may share views of one name. */
function titleOf({ name, mine, by }: FindingView): string {
  return !mine && by ? `${name} (${by})` : name;
}

interface SaveProps {
  readonly filters: SaveFindingView['filters'];
  readonly mine: readonly FindingView[];
  readonly onClose: () => void;
}

/** Under a new name, or in the place of a view of the same name. */
function SaveDialog({ filters, mine, onClose }: SaveProps) {
  const save = useSaveView();
  const change = useChangeView();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const before = mine.find(view => view.name === name);
  const act = before ? change : save;
  const submit = () => {
    const body = { name, filters, shared };
    const onSuccess = () => {
      succeed('The view is saved');
      onClose();
    };
    if (before) change.mutate({ id: before.id, ...body }, { onSuccess });
    else save.mutate(body, { onSuccess });
  };
  return (
    <FormDialog
      title="Save these filters as a view"
      submitLabel={before ? 'Replace view' : 'Save view'}
      act={act}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={100}
        value={name}
        error={fieldError(act.error, 'name')}
        onChange={event => setName(event.currentTarget.value)}
      />
      <Checkbox
        label="Share it with everyone in the organization"
        checked={shared}
        onChange={event => setShared(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
