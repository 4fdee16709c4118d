import { Checkbox, Table } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './data-table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  readonly render: (row: Row) => ReactNode;
  /** `right` for numbers. */
  readonly align?: 'left' | 'right';
  /** CSS width; the rest is shared. */
  readonly width?: string | number;
  /** A quiet column for which a phone has no room. */
  readonly wideOnly?: boolean;
  /** Holds the row's buttons: on a phone, below the rest and without a name. */
  readonly actions?: boolean;
}

interface Props<Row> {
  /** What the table holds, for screen readers. */
  readonly caption: string;
  /** The first column names the row, and is its link where there is one. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Where a row leads: an address, or an act such as opening a drawer. */
  readonly href?: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  /** The row that is open or that the keyboard is at. */
  readonly activeKey?: string | undefined;
  readonly selection?: {
    readonly keys: ReadonlySet<string>;
    readonly onChange: (keys: ReadonlySet<string>) => void;
  };
}

/** A list: a table where there is room, cards on a phone. */
export function DataTable<Row>(props: Props<Row>) {
  const phone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  return phone ? <Cards {...props} /> : <WideTable {...props} />;
}

function WideTable<Row>(props: Props<Row>) {
  const { caption, columns, rows, rowKey, activeKey, selection } = props;
  return (
    <div className={classes.frame}>
      <Table highlightOnHover={Boolean(props.href ?? props.onOpen)} className={classes.table}>
        <caption className={classes.hidden}>{caption}</caption>
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th w={40}>
                <SelectAll {...props} selection={selection} />
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
            // For a mouse only: with the keyboard, the link or button of the first column does the same.
            <Table.Tr
              key={rowKey(row)}
              data-row={rowKey(row)}
              data-active={rowKey(row) === activeKey || undefined}
              {...((props.href ?? props.onOpen) ? { onClick: clickThrough } : {})}
            >
              {selection && (
                <Table.Td>
                  <SelectRow row={row} rowKey={rowKey} selection={selection} />
                </Table.Td>
              )}
              {columns.map(({ key, align, render }, index) => (
                <Table.Td key={key} ta={align ?? 'left'}>
                  {index === 0 ? <Opener {...props} row={row} /> : render(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Cards<Row>(props: Props<Row>) {
  const { caption, columns, rows, rowKey, activeKey, selection } = props;
  const [, ...others] = columns.filter(column => !column.wideOnly);
  const facts = others.filter(column => !column.actions);
  const actions = others.find(column => column.actions);
  return (
    <ul className={classes.cards} aria-label={caption}>
      {rows.map(row => (
        <li key={rowKey(row)} className={classes.card} data-active={rowKey(row) === activeKey || undefined}>
          <div className={classes.cardHead}>
            {selection && <SelectRow row={row} rowKey={rowKey} selection={selection} />}
            <Opener {...props} row={row} />
          </div>
          <dl className={classes.facts}>
            {facts.map(({ key, header, render }) => (
              <div key={key}>
                <dt>{header}</dt>
                <dd>{render(row)}</dd>
              </div>
            ))}
          </dl>
          {actions && <div className={classes.cardActions}>{actions.render(row)}</div>}
        </li>
      ))}
    </ul>
  );
}

/** What names the row, as the link or button that opens it. */
function Opener<Row>({ row, columns, href, onOpen }: Props<Row> & { readonly row: Row }) {
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

/** A click anywhere in the row is one on its opener, unless it meant something else. */
function clickThrough(event: React.MouseEvent<HTMLTableRowElement>): void {
  if ((event.target as Element).closest('a, button, input, label')) return;
  if (getSelection()?.toString()) return;
  event.currentTarget.querySelector<HTMLElement>('[data-opener]')?.click();
}

type Selection = NonNullable<Props<unknown>['selection']>;

function SelectRow<Row>(props: {
  readonly row: Row;
  readonly rowKey: (row: Row) => string;
  readonly selection: Selection;
}) {
  const { keys, onChange } = props.selection;
  const key = props.rowKey(props.row);
  return (
    <Checkbox
      size="xs"
      aria-label="Select this row"
      checked={keys.has(key)}
      onChange={event => {
        const after = new Set(keys);
        if (event.currentTarget.checked) after.add(key);
        else after.delete(key);
        onChange(after);
      }}
    />
  );
}

function SelectAll<Row>({ rows, rowKey, selection }: Props<Row> & { readonly selection: Selection }) {
  const all = rows.length > 0 && rows.every(row => selection.keys.has(rowKey(row)));
  return (
    <Checkbox
      size="xs"
      aria-label="Select all rows"
      checked={all}
      indeterminate={!all && selection.keys.size > 0}
      onChange={() => selection.onChange(new Set(all ? [] : rows.map(rowKey)))}
    />
  );
}
