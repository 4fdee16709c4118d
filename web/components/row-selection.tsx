import { Checkbox } from '@mantine/core';
import type { Selection } from './table-column.ts';

interface RowProps {
  readonly rowKey: string;
  readonly selection: Selection;
}

export function SelectRow({ rowKey, selection: { keys, onChange } }: RowProps) {
  return (
    <Checkbox
      size="xs"
      aria-label="Select row"
      checked={keys.has(rowKey)}
      onChange={event => {
        const selected = new Set(keys);
        if (event.currentTarget.checked) selected.add(rowKey);
        else selected.delete(rowKey);
        onChange(selected);
      }}
    />
  );
}

interface AllProps {
  readonly rowKeys: readonly string[];
  readonly selection: Selection;
}

export function SelectAllRows({ rowKeys, selection: { keys, onChange } }: AllProps) {
  const all = rowKeys.length > 0 && rowKeys.every(key => keys.has(key));
  return (
    <Checkbox
      size="xs"
      aria-label="Select all rows"
      checked={all}
      indeterminate={!all && keys.size > 0}
      onChange={() => onChange(new Set(all ? [] : rowKeys))}
    />
  );
}
