import { Link } from 'react-router';
import classes from './data-table.module.css';
import type { TableProps } from './table-column.ts';

/** The first cell of a row, as the link or button that opens it. */
export function RowOpener<Row>({ row, columns, href, onOpen }: TableProps<Row> & { readonly row: Row }) {
  const name = columns[0]?.render(row);
  if (href) {
    return (
      <Link to={href(row)} className={classes.opener} data-opener>
        {name}
      </Link>
    );
  }
  if (!onOpen) return name;
  return (
    <button type="button" className={classes.opener} data-opener onClick={() => onOpen(row)}>
      {name}
    </button>
  );
}

/** Makes a click anywhere in a row open it, except on another control or to select text. */
export function openOnRowClick(event: React.MouseEvent<HTMLTableRowElement>): void {
  if ((event.target as Element).closest('a, button, input, label, time')) return;
  if (getSelection()?.toString()) return;
  event.currentTarget.querySelector<HTMLElement>('[data-opener]')?.click();
}
