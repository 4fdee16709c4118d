import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useSessionMutation } from '../../api/session.ts';
import { FormError, fieldError } from '../../forms/form-error.tsx';
import { NewPassword } from '../../forms/new-password.tsx';
import { paths } from '../../paths.ts';
import { Entrance } from './entrance.tsx';
import { LinkPreview } from './link-preview.tsx';
import { useLinkToken } from './use-link-token.ts';

/** The first start: the organization and whoever owns it. */
export default function SetUpPage() {
  const token = useLinkToken();
  return (
    <LinkPreview path="/set-up/preview" token={token} title="Set up Parapet">
      {() => (
        <Entrance
          title="Set up Parapet"
          description="Name your organization and make your own account. You will own the organization; everyone else comes by invitation."
        >
          <SetUpForm token={token} />
        </Entrance>
      )}
    </LinkPreview>
  );
}

function SetUpForm({ token }: { readonly token: string }) {
  const navigate = useNavigate();
  const act = useSessionMutation<object>('/set-up');
  const [values, setValues] = useState({ organization_name: '', name: '', email: '', password: '' });
  const input = (field: keyof typeof values) => ({
    required: true,
    value: values[field],
    error: fieldError(act.error, field),
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      setValues({ ...values, [field]: event.currentTarget.value }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act.mutate({ token, ...values }, { onSuccess: () => void navigate(paths.signIn, { replace: true }) });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Organization"
          autoComplete="organization"
          autoFocus
          maxLength={200}
          {...input('organization_name')}
        />
        <TextInput label="Your name" autoComplete="name" maxLength={100} {...input('name')} />
        <TextInput
          label="Your e-mail address"
          description="What you sign in with. Nothing is sent to it."
          type="email"
          autoComplete="username"
          maxLength={254}
          {...input('email')}
        />
        <NewPassword
          value={values.password}
          onChange={password => setValues({ ...values, password })}
          known={[values.organization_name, values.name, values.email]}
          error={fieldError(act.error, 'password')}
        />
        <FormError error={act.error} />
        <Button type="submit" loading={act.isPending} fullWidth>
          Continue
        </Button>
      </Stack>
    </form>
  );
}
