import { useSystemChoices } from '../components/use-system-choices.ts';
import { Select } from '../later/select-field.tsx';
import { fieldError } from './error-messages.ts';

interface Props {
  readonly description?: string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  readonly error: Error | null;
}

/** One of the organization's systems. */
export function SystemField({ description, value, onChange, error }: Props) {
  const { isEmpty, select } = useSystemChoices(value);
  return (
    <Select
      label="System"
      {...(description ? { description } : {})}
      placeholder={isEmpty ? 'No systems yet. Add one first.' : 'Choose a system'}
      required
      allowDeselect={false}
      value={value}
      error={fieldError(error, 'system_id')}
      onChange={onChange}
      {...select}
    />
  );
}
