import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useSessionMutation } from '../../api/session.ts';
import { Form } from '../../forms/form.tsx';
import { NewPassword } from '../../forms/new-password.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { paths } from '../../paths.ts';
import { LinkPreview } from './link-preview.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Creates the first organization and its owner. */
export default function SetUpPage() {
  const token = useLinkToken();
  return (
    <LinkPreview
      title="Set up Parapet"
      description="Create your organization and your account. You'll own the organization and can invite others later."
      path="/set-up/preview"
      token={token}
    >
      {() => <SetUpForm token={token} />}
    </LinkPreview>
  );
}

function SetUpForm({ token }: { readonly token: string }) {
  const navigate = useNavigate();
  const setUp = useSessionMutation<object>('/set-up');
  const [values, setValues] = useState({ organization_name: '', name: '', email: '', password: '' });
  const change = (field: keyof typeof values) => (value: string) => setValues({ ...values, [field]: value });
  const field = (path: keyof typeof values) => ({
    required: true,
    value: values[path],
    path,
    error: setUp.error,
    onChange: change(path),
  });
  const submit = () =>
    setUp.mutate({ token, ...values }, { onSuccess: () => void navigate(paths.signIn, { replace: true }) });
  return (
    <Form submitLabel="Continue" mutation={setUp} onSubmit={submit}>
      <TextField
        label="Organization name"
        autoComplete="organization"
        autoFocus
        maxLength={200}
        {...field('organization_name')}
      />
      <TextField label="Your name" autoComplete="name" maxLength={100} {...field('name')} />
      <TextField
        label="Email"
        description="You sign in with this address."
        type="email"
        autoComplete="username"
        maxLength={254}
        {...field('email')}
      />
      <NewPassword
        value={values.password}
        onChange={change('password')}
        personal={[values.organization_name, values.name, values.email]}
        error={setUp.error}
      />
    </Form>
  );
}
