import { Select } from '@mantine/core';
import { useSystemNames } from '../api/system-names.ts';
import { fieldError } from './error-messages.ts';

interface Props {
  readonly description?: string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  readonly error: Error | null;
}

/** One of the organization's systems. */
export function SystemField({ description, value, onChange, error }: Props) {
  const systems = useSystemNames();
  return (
    <Select
      label="System"
      {...(description ? { description } : {})}
      placeholder={systems.data?.size === 0 ? 'No systems yet. Add one first.' : 'Choose a system'}
      required
      searchable
      allowDeselect={false}
      data={[...(systems.data ?? [])].map(([value, label]) => ({ value, label }))}
      value={value}
      error={fieldError(error, 'system_id')}
      onChange={onChange}
      nothingFoundMessage="No systems found"
    />
  );
}
