import { PasswordInput, Progress, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { passwordLength } from '../../src/contract/dashboard/password.ts';
import { Dimmed } from '../components/dimmed.tsx';
import { fieldProblem } from './error-messages.ts';
import { type Strength, strengthOf } from './password-strength.ts';

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The person's name, email address and organization, which an attacker would try first. */
  readonly personal: readonly string[];
  /** Of the form's mutation. */
  readonly error: Error | null;
  readonly label?: string;
}

const ratings = [
  { color: 'red.7', word: 'Very weak' },
  { color: 'red.7', word: 'Weak' },
  { color: 'orange.8', word: 'Fair' },
  { color: 'yellow.8', word: 'Almost strong enough' },
  { color: 'teal.7', word: 'Strong' },
] as const;

/** A new password, rated while it is typed by the rule that the service applies. */
export function NewPassword({ value, onChange, personal, error, label = 'Password' }: Props) {
  const strength = useStrength(value, personal);
  const rating = strength && ratings[strength.score];
  const problem = fieldProblem(error, 'password');
  return (
    <Stack gap={6}>
      <PasswordInput
        label={label}
        description={`At least ${passwordLength.min} characters. Four or five unrelated words work well.`}
        autoComplete="new-password"
        required
        minLength={passwordLength.min}
        maxLength={passwordLength.max}
        value={value}
        error={problem && `This password ${problem}`}
        onChange={event => onChange(event.currentTarget.value)}
      />
      <Progress
        size="xs"
        value={value === '' ? 0 : ((strength?.score ?? 0) + 1) * 20}
        color={rating?.color ?? 'gray.5'}
        aria-label="Password strength"
      />
      <Dimmed size="xs" mih={18} aria-live="polite">
        {rating && `${rating.word}. ${strength.advice}`}
      </Dimmed>
    </Stack>
  );
}

function useStrength(password: string, personal: readonly string[]): Strength | undefined {
  const [strength, setStrength] = useState<Strength>();
  const words = personal.join('\n');
  useEffect(() => {
    if (password === '') return setStrength(undefined);
    let isCurrent = true;
    const timer = setTimeout(async () => {
      // The word lists are large, so they load with the first character typed.
      const rated = await strengthOf(password, words.split('\n')).catch(() => undefined);
      if (isCurrent) setStrength(rated);
    }, 150);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [password, words]);
  return strength;
}
