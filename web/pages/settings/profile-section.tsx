import { Button, Group } from '@mantine/core';
import { useRename } from '../../api/account.ts';
import { useSession } from '../../api/session.ts';
import { notify } from '../../components/notify.ts';
import { Section } from '../../components/section.tsx';
import { handleSubmit } from '../../forms/form.tsx';
import { FormError } from '../../forms/form-error.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useField } from '../../forms/use-field.ts';

export function ProfileSection() {
  const { person } = useSession();
  const name = useField('name', person?.name);
  const rename = useRename();
  const submit = () => rename.mutate(name.value, { onSuccess: () => notify('Name saved') });
  return (
    <Section
      title="Name"
      description="Shown to others, for example in the audit log and on findings you triage."
    >
      <form onSubmit={handleSubmit(submit)}>
        <Group align="flex-end" gap="xs">
          <TextField
            label="Your name"
            autoComplete="name"
            required
            maxLength={100}
            flex="1 1 14rem"
            maw={340}
            error={rename.error}
            {...name}
          />
          <Button
            type="submit"
            variant="default"
            loading={rename.isPending}
            disabled={name.value === person?.name}
          >
            Save name
          </Button>
        </Group>
        <FormError error={rename.error} />
      </form>
    </Section>
  );
}
