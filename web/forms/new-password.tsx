import { PasswordInput, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { passwordLength } from '../../src/contract/dashboard/password.ts';
import { type Strength, strengthOf } from './password-strength.ts';

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Name, address, organization: what others would try first. */
  readonly known: readonly string[];
  readonly error?: string | undefined;
  readonly label?: string;
}

const looks = [
  { color: 'red.7', word: 'Very easy to guess' },
  { color: 'red.7', word: 'Easy to guess' },
  { color: 'orange.8', word: 'Could be guessed' },
  { color: 'yellow.8', word: 'Nearly good enough' },
  { color: 'teal.7', word: 'Good' },
] as const;

/** A new password, and how hard it is to guess while it is typed. The service judges by the same rule. */
export function NewPassword({ value, onChange, known, error, label = 'Password' }: Props) {
  const strength = useStrength(value, known);
  const look = strength && looks[strength.score];
  return (
    <Stack gap={6}>
      <PasswordInput
        label={label}
        description={`At least ${passwordLength.min} characters. Four or five words that do not belong together are good.`}
        autoComplete="new-password"
        required
        minLength={passwordLength.min}
        maxLength={passwordLength.max}
        value={value}
        error={error && `This password ${error}`}
        onChange={event => onChange(event.currentTarget.value)}
      />
      <Progress
        size="xs"
        value={value === '' ? 0 : ((strength?.score ?? 0) + 1) * 20}
        color={look?.color ?? 'gray.5'}
        aria-label="Strength of the password"
      />
      <Text size="xs" c="dimmed" mih={18} aria-live="polite">
        {look && `${look.word}. ${strength.advice}`}
      </Text>
    </Stack>
  );
}

function useStrength(password: string, known: readonly string[]): Strength | undefined {
  const [strength, setStrength] = useState<Strength>();
  const words = known.join('\n');
  useEffect(() => {
    if (password === '') return setStrength(undefined);
    let current = true;
    const timer = setTimeout(async () => {
      // The lists of known passwords are large: who chooses none never loads them.
      const judged = await strengthOf(password, words.split('\n')).catch(() => undefined);
      if (current) setStrength(judged);
    }, 150);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [password, words]);
  return strength;
}
