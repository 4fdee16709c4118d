import { day, endOfLocalDay } from '../../formats/dates.ts';
import { ExpiryField } from '../../forms/expiry-field.tsx';
import { Select } from '../../later/select-field.tsx';

/** Without a value, the service chooses a year: the browser's clock may differ. */
const choices = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'Choose a date' },
];

export interface KeyExpiry {
  readonly choice: string;
  readonly date: string;
}

export const defaultExpiry: KeyExpiry = { choice: '365', date: '' };

/** `expires_at` of a new key; undefined for the longest time. */
export function expiresAt({ choice, date }: KeyExpiry, now: number): string | undefined {
  if (choice === '365') return undefined;
  return choice === 'date' ? endOfLocalDay(date) : new Date(now + Number(choice) * day).toISOString();
}

interface Props {
  readonly value: KeyExpiry;
  readonly onChange: (expiry: KeyExpiry) => void;
  readonly error: Error | null;
}

/** When a new key expires. */
export function KeyExpiryField({ value, onChange, error }: Props) {
  return (
    <>
      <Select
        label="Expires in"
        data={choices}
        allowDeselect={false}
        value={value.choice}
        onChange={choice => choice && onChange({ ...value, choice })}
      />
      {value.choice === 'date' && (
        <ExpiryField
          label="Expiry date"
          path="expires_at"
          value={value.date}
          error={error}
          onChange={date => onChange({ ...value, date })}
        />
      )}
    </>
  );
}
