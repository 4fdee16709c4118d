import { Button, Group, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Passkey } from '../../../src/contract/dashboard/session.ts';
import { useRemovePasskey, useRenamePasskey } from '../../api/account.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { RowList } from '../../components/row-list.tsx';
import { Section } from '../../components/section.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useField } from '../../forms/use-field.ts';

const EnrollDialog = lazy(() => import('./enroll-dialog.tsx'));

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
      description="The strongest second factor: nothing to type, and it can't be phished."
      actions={
        <Button variant="default" onClick={() => setAdding(true)}>
          Add passkey
        </Button>
      }
    >
      {passkeys.length > 0 && (
        <RowList label="Passkeys">
          {passkeys.map(passkey => (
            <li key={passkey.id}>
              <div>
                <Text fw={600}>{passkey.name}</Text>
                <Dimmed>
                  Added <RelativeTime at={passkey.created_at} />,{' '}
                  {passkey.last_used_at ? (
                    <>
                      last used <RelativeTime at={passkey.last_used_at} />
                    </>
                  ) : (
                    'never used'
                  )}
                </Dimmed>
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
        </RowList>
      )}
      {adding && (
        <Suspense>
          <EnrollDialog kind="passkey" onClose={() => setAdding(false)} />
        </Suspense>
      )}
      {dialog?.kind === 'rename' && <RenameDialog passkey={dialog.passkey} onClose={close} />}
      <ConfirmDialog
        opened={dialog?.kind === 'remove'}
        onClose={close}
        title="Remove passkey?"
        confirmLabel="Remove passkey"
        danger
        onConfirm={() => remove.mutateAsync(dialog?.passkey.id ?? '')}
      >
        “{dialog?.passkey.name}” can no longer sign in to your account. Delete it from your device too.
      </ConfirmDialog>
    </Section>
  );
}

function RenameDialog({ passkey, onClose }: { readonly passkey: Passkey; readonly onClose: () => void }) {
  const name = useField('name', passkey.name);
  const rename = useRenamePasskey();
  return (
    <FormDialog
      title="Rename passkey"
      submitLabel="Save name"
      mutation={rename}
      onSubmit={options => rename.mutate({ id: passkey.id, name: name.value }, options)}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={100} data-autofocus error={rename.error} {...name} />
    </FormDialog>
  );
}
