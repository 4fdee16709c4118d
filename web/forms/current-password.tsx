import { PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (password: string) => void;
  readonly error: ReactNode;
}

/** The signed-in person's password, with their email address for password managers. */
export function CurrentPassword({ label, value, onChange, error }: Props) {
  const { person } = useSession();
  return (
    <>
      <input type="email" autoComplete="username" value={person?.email ?? ''} readOnly hidden />
      <PasswordInput
        label={label}
        autoComplete="current-password"
        required
        data-autofocus
        value={value}
        error={error}
        onChange={event => onChange(event.currentTarget.value)}
      />
    </>
  );
}
