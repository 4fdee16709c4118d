import { Table } from '@mantine/core';
import classes from './data-table.module.css';
import { RowCards } from './row-cards.tsx';
import { openOnRowClick, RowOpener } from './row-opener.tsx';
import { SelectAllRows, SelectRow } from './row-selection.tsx';
import type { TableProps } from './table-column.ts';
import { useIsPhone } from './use-is-phone.ts';

/** A list: a table, or cards on a phone. */
export function DataTable<Row>(props: TableProps<Row>) {
  return useIsPhone() ? <RowCards {...props} /> : <WideTable {...props} />;
}

function WideTable<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, activeKey, selection } = props;
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
            {columns.map(({ key, header, width, align }) => (
              <Table.Th key={key} scope="col" w={width} ta={align ?? 'left'}>
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
              {columns.map(({ key, align, render }, index) => (
                <Table.Td key={key} ta={align ?? 'left'}>
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
