import { Table } from '@mantine/core';
import { Link } from 'react-router';
import classes from './data-table.module.css';
import { SelectAllRows, SelectRow } from './row-selection.tsx';
import type { TableProps } from './table-column.ts';
import { useIsPhone } from './use-is-phone.ts';

/** A list: a table, or cards on a phone. */
export function DataTable<Row>(props: TableProps<Row>) {
  const isPhone = useIsPhone();
  return isPhone && !props.narrow ? <RowCards {...props} /> : <WideTable {...props} />;
}

function WideTable<Row>(props: TableProps<Row>) {
  const { caption, rows, rowKey, actions, activeKey, selection } = props;
  const columns = actions
    ? [...props.columns, { header: 'Actions', align: 'right' as const, render: actions }]
    : props.columns;
  const canOpen = Boolean(props.href ?? props.onOpen);
  return (
    <div className={classes.frame}>
      <Table highlightOnHover={canOpen} className={classes.table}>
        <caption className="visually-hidden">{caption}</caption>
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th w={40}>
                <SelectAllRows rowKeys={rows.map(rowKey)} selection={selection} />
              </Table.Th>
            )}
            {columns.map(({ header, width, align = 'left' }) => (
              <Table.Th key={header} scope="col" w={width} ta={align}>
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(row => (
            // For the mouse. The keyboard uses the link or button in the first column.
            <Table.Tr
              key={rowKey(row)}
              data-row={rowKey(row)}
              data-active={rowKey(row) === activeKey || undefined}
              {...(canOpen ? { onClick: openOnRowClick } : {})}
            >
              {selection && (
                <Table.Td>
                  <SelectRow rowKey={rowKey(row)} selection={selection} />
                </Table.Td>
              )}
              {columns.map(({ header, align = 'left', render }, index) => (
                <Table.Td key={header} ta={align}>
                  {index === 0 ? <RowOpener {...props} row={row} /> : render(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** The rows as cards, for a phone. */
function RowCards<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, actions, activeKey, selection } = props;
  const facts = columns.slice(1).filter(column => !column.wideOnly);
  return (
    <ul className={classes.cards} aria-label={caption}>
      {rows.map(row => (
        <li key={rowKey(row)} className={classes.card} data-active={rowKey(row) === activeKey || undefined}>
          <div className={classes.cardHead}>
            {selection && <SelectRow rowKey={rowKey(row)} selection={selection} />}
            <RowOpener {...props} row={row} />
          </div>
          <dl className={classes.facts}>
            {facts.map(({ header, render }) => (
              <div key={header}>
                <dt>{header}</dt>
                <dd>{render(row)}</dd>
              </div>
            ))}
          </dl>
          {actions && <div className={classes.cardActions}>{actions(row)}</div>}
        </li>
      ))}
    </ul>
  );
}

/** The first cell of a row, as the link or button that opens it. */
function RowOpener<Row>({ row, columns, href, onOpen }: TableProps<Row> & { readonly row: Row }) {
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
function openOnRowClick(event: React.MouseEvent<HTMLTableRowElement>): void {
  if ((event.target as Element).closest('a, button, input, label, time')) return;
  if (getSelection()?.toString()) return;
  event.currentTarget.querySelector<HTMLElement>('[data-opener]')?.click();
}
