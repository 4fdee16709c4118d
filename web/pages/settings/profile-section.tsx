import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useRename } from '../../api/account.ts';
import { useSession } from '../../api/session.ts';
import { Section } from '../../components/section.tsx';
import { succeed } from '../../components/succeed.ts';
import { FormError, fieldError } from '../../forms/form-error.tsx';

/** How others see the person. */
export function ProfileSection() {
  const { person } = useSession();
  const [name, setName] = useState(person?.name ?? '');
  const rename = useRename();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate(name, { onSuccess: () => succeed('Name saved') });
  };
  return (
    <Section title="Name" description="As others see you, in the audit log and in decisions about findings.">
      <form onSubmit={submit}>
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Your name"
            autoComplete="name"
            required
            maxLength={100}
            flex="1 1 14rem"
            maw={340}
            value={name}
            error={fieldError(rename.error, 'name')}
            onChange={event => setName(event.currentTarget.value)}
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
