import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { fieldError } from './error-messages.ts';

interface Props extends Omit<TextInputProps, 'value' | 'error' | 'onChange'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Where the service reports errors of this field, in the error of the form's mutation. */
  readonly path?: string;
  readonly error?: Error | null;
  /** An error that the form itself has found. */
  readonly message?: string | undefined;
}

/** A text input of a form. The service's error is shown until the text is changed. */
export function TextField({ onChange, path, error = null, message, ...rest }: Props) {
  const [refused, setRefused] = useState({ error, value: rest.value });
  if (refused.error !== error) setRefused({ error, value: rest.value });
  const isChanged = refused.value !== rest.value;
  return (
    <TextInput
      {...rest}
      error={message ?? (path && !isChanged && fieldError(error, path))}
      onChange={event => onChange(event.currentTarget.value)}
    />
  );
}
