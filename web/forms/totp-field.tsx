import { TextField } from './text-field.tsx';

interface Props {
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly autoFocus?: boolean;
}

/** The current code of an authenticator app. */
export function TotpField({ value, onChange, autoFocus = false }: Props) {
  return (
    <TextField
      label="6-digit code"
      description="From your authenticator app"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9 ]{6,7}"
      required
      autoFocus={autoFocus}
      data-autofocus={autoFocus || undefined}
      value={value}
      onChange={onChange}
    />
  );
}
