import { MultiSelect } from '@mantine/core';
import { useEvidence } from '../../api/evidence.ts';
import { dateText } from '../../formats/dates.ts';

interface Props {
  readonly value: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (ids: string[]) => void;
  readonly required?: boolean;
}

/** The newest files and scan snapshots, to link as evidence. */
export function EvidenceSelect({ value, error, onChange, required = false }: Props) {
  const evidence = useEvidence({ limit: '100' });
  const rows = evidence.data?.pages.flatMap(page => page.evidence) ?? [];
  return (
    <MultiSelect
      label="Evidence"
      description="Documents that prove the statement. You can add a scan, but it doesn't prove a safeguard by itself. Upload files on the Evidence page."
      placeholder={value.length === 0 ? 'Choose evidence' : ''}
      searchable
      clearable
      required={required}
      maxValues={20}
      nothingFoundMessage="No evidence found"
      comboboxProps={{ zIndex: 500 }}
      data={rows
        .filter(({ kind }) => kind !== 'controls')
        .map(({ id, name, created_at }) => ({ value: id, label: `${name} (${dateText(created_at)})` }))}
      value={[...value]}
      error={error}
      onChange={onChange}
    />
  );
}
