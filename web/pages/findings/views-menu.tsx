import { Button, Checkbox, Group, Menu, Modal, Stack, TextInput } from '@mantine/core';
import { IconBookmark, IconChevronDown, IconTrash, IconUsers } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { FindingView, SaveFindingView } from '../../../src/contract/dashboard/views.ts';
import { useDeleteView, useSaveView, useViews } from '../../api/views.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { succeed } from '../../components/succeed.ts';
import { FormError, fieldError } from '../../forms/form-error.tsx';

interface Props {
  readonly filters: SaveFindingView['filters'];
  readonly onOpen: (filters: SaveFindingView['filters']) => void;
}

/** Filters kept under a name: one's own, and those that others share. */
export function ViewsMenu({ filters, onOpen }: Props) {
  const views = useViews();
  const remove = useDeleteView();
  const [saving, setSaving] = useState(false);
  const [deleting, setDeleting] = useState<FindingView>();
  const kept = views.data ?? [];
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
              {view.name}
              {!view.mine && view.by ? ` (${view.by})` : ''}
            </Menu.Item>
          ))}
          {kept.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={() => setSaving(true)}>Save these filters…</Menu.Item>
          {kept.some(({ mine }) => mine) && (
            <>
              <Menu.Divider />
              <Menu.Label>Delete</Menu.Label>
              {kept
                .filter(({ mine }) => mine)
                .map(view => (
                  <Menu.Item
                    key={view.id}
                    leftSection={<IconTrash size={14} aria-hidden />}
                    onClick={() => setDeleting(view)}
                  >
                    Delete {view.name}…
                  </Menu.Item>
                ))}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {saving && <SaveDialog filters={filters} onClose={() => setSaving(false)} />}
      <ConfirmDialog
        opened={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title={`Delete the view ${deleting?.name ?? ''}?`}
        confirmLabel="Delete view"
        danger
        onConfirm={() => remove.mutateAsync(deleting!.id)}
      >
        {deleting?.shared ? 'Everyone in the organization loses it.' : 'No finding changes.'}
      </ConfirmDialog>
    </>
  );
}

function SaveDialog({
  filters,
  onClose,
}: {
  readonly filters: SaveFindingView['filters'];
  readonly onClose: () => void;
}) {
  const save = useSaveView();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      { name, filters, shared },
      {
        onSuccess: () => {
          succeed('The view is saved');
          onClose();
        },
      },
    );
  };
  return (
    <Modal opened onClose={onClose} title="Save these filters as a view">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Name"
            required
            data-autofocus
            maxLength={100}
            value={name}
            error={fieldError(save.error, 'name')}
            onChange={event => setName(event.currentTarget.value)}
          />
          <Checkbox
            label="Share it with everyone in the organization"
            checked={shared}
            onChange={event => setShared(event.currentTarget.checked)}
          />
          <FormError error={save.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save view
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
