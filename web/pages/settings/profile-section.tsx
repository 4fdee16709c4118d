import { Button, Group } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useRename } from '../../api/account.ts';
import { useSession } from '../../api/session.ts';
import { notify } from '../../components/notify.ts';
import { Section } from '../../components/section.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { TextField } from '../../forms/text-field.tsx';

export function ProfileSection() {
  const { person } = useSession();
  const [name, setName] = useState(person?.name ?? '');
  const rename = useRename();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate(name, { onSuccess: () => notify('Name saved') });
  };
  return (
    <Section
      title="Name"
      description="Shown to others, for example in the audit log and on findings you triage."
    >
      <form onSubmit={submit}>
        <Group align="flex-end" gap="xs">
          <TextField
            label="Your name"
            autoComplete="name"
            required
            maxLength={100}
            flex="1 1 14rem"
            maw={340}
            value={name}
            path="name"
            error={rename.error}
            onChange={setName}
          />
          <Button type="submit" variant="default" loading={rename.isPending} disabled={name === person?.name}>
            Save name
          </Button>
        </Group>
        <FormError error={rename.error} />
      </form>
    </Section>
  );
}
