import { day, localDate } from '../formats/dates.ts';
import { TextField } from './text-field.tsx';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (date: string) => void;
  readonly path: string;
  readonly error: Error | null;
}

/** A date from tomorrow to a year from now; the service allows no more. */
export function ExpiryField(props: Props) {
  const now = Date.now();
  return (
    <TextField
      {...props}
      description="Up to one year from now"
      type="date"
      required
      min={localDate(now + day)}
      max={localDate(now + 365 * day)}
    />
  );
}
