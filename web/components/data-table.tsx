import { useViewportSize } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { Fragment, type RefObject, useLayoutEffect, useState } from 'react';
import { Link } from 'react-router';
import classes from './data-table.module.css';
import { SelectAllRows, SelectRow } from './row-selection.tsx';
import table from './table.module.css';
import type { Column, Sorting, TableProps } from './table-column.ts';
import { useIsPhone } from './use-is-phone.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

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
  const list = useVirtualRows({ rows, rowKey, activeKey, height: 60 });
  const widths = useSteadyWidths(list);
  const cells = columns.length + (selection ? 1 : 0);
  return (
    <div className={classes.frame} ref={list.frame}>
      <table
        className={`${table.table} ${table.lines} ${classes.table}`}
        style={{ tableLayout: widths ? 'fixed' : 'auto', minWidth: props.minWidth }}
        aria-rowcount={list.isVirtual ? rows.length + 1 : undefined}
      >
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr aria-rowindex={list.isVirtual ? 1 : undefined}>
            {selection && (
              <th style={{ width: widths?.[0] ?? 40 }}>
                <SelectAllRows rowKeys={rows.map(rowKey)} selection={selection} />
              </th>
            )}
            {columns.map(({ header, width, align = 'left', order }, index) => (
              <th
                key={header}
                scope="col"
                aria-sort={order && order.name === props.sorting?.order ? order.direction : undefined}
                style={{ width: widths?.[selection ? index + 1 : index] ?? width, textAlign: align }}
              >
                <ColumnHeader header={header} order={order} sorting={props.sorting} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody onFocus={list.onFocus} onBlur={list.onBlur}>
          {list.shown.map(({ row, index, spaceBefore }) => (
            <Fragment key={rowKey(row)}>
              {spaceBefore > 0 && <Space cells={cells} height={spaceBefore} />}
              {/* A click is for the mouse. The keyboard uses the link or button in the first column. */}
              <tr
                ref={list.measure}
                data-index={index}
                data-row={rowKey(row)}
                data-active={rowKey(row) === activeKey || undefined}
                aria-rowindex={list.isVirtual ? index + 2 : undefined}
                {...(canOpen ? { onClick: openOnRowClick } : {})}
              >
                {selection && (
                  <td>
                    <SelectRow rowKey={rowKey(row)} selection={selection} />
                  </td>
                )}
                {columns.map(({ header, align = 'left', render }, column) => (
                  <td key={header} style={{ textAlign: align }}>
                    {column === 0 ? <RowOpener {...props} row={row} /> : render(row)}
                  </td>
                ))}
              </tr>
            </Fragment>
          ))}
          {list.spaceAfter > 0 && <Space cells={cells} height={list.spaceAfter} />}
        </tbody>
      </table>
    </div>
  );
}

/** The header of a column: a button if the list can be sorted by it. */
function ColumnHeader({
  header,
  order,
  sorting,
}: {
  readonly header: string;
  readonly order: Column<unknown>['order'] | undefined;
  readonly sorting: Sorting | undefined;
}) {
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

/** Stands for rows that are not shown. */
function Space({ cells, height }: { readonly cells: number; readonly height: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={cells} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

/**
 * The widths of the columns of a long list, which would change with the rows that are shown: those that the first shown rows need in a
 * window of this width. Undefined for other lists.
 */
function useSteadyWidths({
  frame,
  isVirtual,
  shown,
}: {
  readonly frame: RefObject<HTMLElement | null>;
  readonly isVirtual: boolean;
  readonly shown: readonly unknown[];
}) {
  const [widths, setWidths] = useState<string[]>();
  const { width: ofWindow } = useViewportSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width of the window needs other widths
  useLayoutEffect(() => setWidths(undefined), [isVirtual, ofWindow]);
  const isToMeasure = isVirtual && widths === undefined && shown.length > 0;
  useLayoutEffect(() => {
    if (!isToMeasure) return;
    const heads = [...(frame.current?.querySelectorAll('th') ?? [])].map(({ offsetWidth }) => offsetWidth);
    const sum = heads.reduce((one, other) => one + other, 0);
    setWidths(heads.map(width => `${(width / sum) * 100}%`));
  }, [frame, isToMeasure]);
  return widths;
}

/** The rows as cards, for a phone. */
function RowCards<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, actions, activeKey, selection } = props;
  const facts = columns.slice(1).filter(column => !column.wideOnly);
  const list = useVirtualRows({ rows, rowKey, activeKey, height: 200, gap: 10 });
  return (
    <ul
      className={classes.cards}
      aria-label={caption}
      ref={list.frame}
      onFocus={list.onFocus}
      onBlur={list.onBlur}
    >
      {list.shown.map(({ row, index, spaceBefore }) => (
        <li
          key={rowKey(row)}
          ref={list.measure}
          className={classes.card}
          style={spaceBefore > 0 ? { marginTop: spaceBefore } : undefined}
          data-index={index}
          data-active={rowKey(row) === activeKey || undefined}
          {...(list.isVirtual ? { 'aria-setsize': rows.length, 'aria-posinset': index + 1 } : {})}
        >
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
      {list.spaceAfter > 0 && <li aria-hidden style={{ height: list.spaceAfter }} />}
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
