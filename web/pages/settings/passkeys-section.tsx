import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import type { Passkey } from '../../../src/contract/dashboard/session.ts';
import { useRemovePasskey, useRenamePasskey } from '../../api/account.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { FormError, fieldError } from '../../forms/form-error.tsx';
import classes from './settings.module.css';

const EnrolDialog = lazy(() => import('./enrol-dialog.tsx'));

interface Dialog {
  readonly kind: 'rename' | 'remove';
  readonly passkey: Passkey;
}

export function PasskeysSection({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const [adding, setAdding] = useState(false);
  const [dialog, setDialog] = useState<Dialog>();
  const remove = useRemovePasskey();
  const close = () => setDialog(undefined);
  return (
    <Section
      title="Passkeys"
      description="The strongest second factor: nothing to type, and nothing that another site could ask you for."
      actions={
        <Button variant="default" onClick={() => setAdding(true)}>
          Add a passkey
        </Button>
      }
    >
      {passkeys.length > 0 && (
        <ul className={classes.rows} aria-label="Passkeys">
          {passkeys.map(passkey => (
            <li key={passkey.id}>
              <div>
                <Text fw={600}>{passkey.name}</Text>
                <Text size="sm" c="dimmed">
                  Added <RelativeTime at={passkey.created_at} />
                  {', '}
                  {passkey.last_used_at ? (
                    <>
                      last used <RelativeTime at={passkey.last_used_at} />
                    </>
                  ) : (
                    'never used'
                  )}
                </Text>
              </div>
              <Group gap="xs">
                <Button variant="subtle" size="xs" onClick={() => setDialog({ kind: 'rename', passkey })}>
                  Rename
                </Button>
                <Button variant="subtle" size="xs" onClick={() => setDialog({ kind: 'remove', passkey })}>
                  Remove
                </Button>
              </Group>
            </li>
          ))}
        </ul>
      )}
      {adding && (
        <Suspense>
          <EnrolDialog kind="passkey" onClose={() => setAdding(false)} />
        </Suspense>
      )}
      <Modal opened={dialog?.kind === 'rename'} onClose={close} title="Rename the passkey">
        {dialog && <Rename passkey={dialog.passkey} onDone={close} />}
      </Modal>
      <ConfirmDialog
        opened={dialog?.kind === 'remove'}
        onClose={close}
        title="Remove the passkey?"
        confirmLabel="Remove the passkey"
        danger
        onConfirm={() => remove.mutateAsync(dialog?.passkey.id ?? '')}
      >
        “{dialog?.passkey.name}” no longer opens your account. Delete it from the device as well.
      </ConfirmDialog>
    </Section>
  );
}

function Rename({ passkey, onDone }: { readonly passkey: Passkey; readonly onDone: () => void }) {
  const [name, setName] = useState(passkey.name);
  const rename = useRenamePasskey();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ id: passkey.id, name }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          required
          maxLength={100}
          data-autofocus
          value={name}
          error={fieldError(rename.error, 'name')}
          onChange={event => setName(event.currentTarget.value)}
        />
        <FormError error={rename.error} />
        <Button type="submit" loading={rename.isPending}>
          Save name
        </Button>
      </Stack>
    </form>
  );
}
