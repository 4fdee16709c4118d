import { Button, Group } from '@mantine/core';
import { fieldError } from '../../forms/error-messages.ts';
import { Select } from '../../later/select-field.tsx';
import { timeZones } from './quiet-times.ts';

interface Props {
  readonly value: string;
  readonly onChange: (zone: string) => void;
  readonly error: Error | null;
}

export function TimeZoneField({ value, onChange, error }: Props) {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label="Time zone"
        searchable
        allowDeselect={false}
        w={280}
        nothingFoundMessage="No time zone with this name"
        data={timeZones(value).map(zone => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
        value={value}
        error={fieldError(error, 'time_zone')}
        onChange={zone => zone && onChange(zone)}
      />
      {own !== value && (
        <Button variant="default" onClick={() => onChange(own)}>
          Use {own.replaceAll('_', ' ')}
        </Button>
      )}
    </Group>
  );
}
