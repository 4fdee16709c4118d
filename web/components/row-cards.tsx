import classes from './data-table.module.css';
import { RowOpener } from './row-opener.tsx';
import { SelectRow } from './row-selection.tsx';
import type { TableProps } from './table-column.ts';

/** The rows of a table as cards, for a phone. */
export function RowCards<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, activeKey, selection } = props;
  const [, ...others] = columns.filter(column => !column.wideOnly);
  const facts = others.filter(column => !column.actions);
  const actions = others.find(column => column.actions);
  return (
    <ul className={classes.cards} aria-label={caption}>
      {rows.map(row => (
        <li key={rowKey(row)} className={classes.card} data-active={rowKey(row) === activeKey || undefined}>
          <div className={classes.cardHead}>
            {selection && <SelectRow rowKey={rowKey(row)} selection={selection} />}
            <RowOpener {...props} row={row} />
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
