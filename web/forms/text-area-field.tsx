import { Textarea, type TextareaProps } from '@mantine/core';
import { fieldError } from './error-messages.ts';

interface Props extends Omit<TextareaProps, 'value' | 'error' | 'onChange'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Where the service reports errors of this field, in the error of the form's mutation. */
  readonly path: string;
  readonly error: Error | null;
}

/** A text area of a form, which grows with its text. */
export function TextAreaField({ onChange, path, error, ...rest }: Props) {
  return (
    <Textarea
      autosize
      {...rest}
      error={fieldError(error, path)}
      onChange={event => onChange(event.currentTarget.value)}
    />
  );
}
