import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import classes from './data-table.module.css';
import type { Column, Sorting } from './table-column.ts';

interface Props {
  readonly header: string;
  readonly order: Column<unknown>['order'] | undefined;
  readonly sorting: Sorting | undefined;
}

/** The header of a column. Of a column that a list can be sorted by, it is a button. */
export function ColumnHeader({ header, order, sorting }: Props) {
  if (!order || !sorting) return header;
  const isSorted = sorting.order === order.name;
  const Icon = order.direction === 'ascending' ? IconArrowUp : IconArrowDown;
  return (
    <button
      type="button"
      className={classes.sort}
      data-sorted={isSorted || undefined}
      title={`Sort by ${header.toLowerCase()}`}
      onClick={() => sorting.onChange(order.name)}
    >
      {header}
      <Icon size={14} aria-hidden />
    </button>
  );
}
