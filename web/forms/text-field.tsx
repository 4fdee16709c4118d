import { TextInput, type TextInputProps } from '@mantine/core';
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

/** A text input of a form. */
export function TextField({ onChange, path, error, message, ...rest }: Props) {
  return (
    <TextInput
      {...rest}
      error={message ?? (path && fieldError(error, path))}
      onChange={event => onChange(event.currentTarget.value)}
    />
  );
}
