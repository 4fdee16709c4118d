import type { ReactNode } from 'react';

export interface Column<Row> {
  /** Different for each column. */
  readonly header: string;
  readonly render: (row: Row) => ReactNode;
  /** `right` for numbers. */
  readonly align?: 'left' | 'right';
  /** CSS width; columns without one share the rest. */
  readonly width?: string | number;
  /** Left out on a phone. */
  readonly wideOnly?: boolean;
  /** The order of the list that its header chooses. */
  readonly order?: ColumnOrder;
}

interface ColumnOrder {
  readonly name: string;
  readonly direction: 'ascending' | 'descending';
}

export interface TableProps<Row> {
  /** Names the table for screen readers. */
  readonly caption: string;
  /** The first column identifies the row, and is the link or button that opens it. */
  readonly columns: readonly Column<Row>[];
  /** Below this CSS width, the table scrolls sideways. */
  readonly minWidth?: string;
  /** Fits a phone as a table. */
  readonly narrow?: boolean;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The row's buttons: the last column, which a phone shows below the rest without a header. */
  readonly actions?: ((row: Row) => ReactNode) | undefined;
  /** The page that a row links to. */
  readonly href?: (row: Row) => string;
  /** Opens a row in place, for example in a drawer. */
  readonly onOpen?: (row: Row) => void;
  /** The open row, or the one that keyboard shortcuts apply to. */
  readonly activeKey?: string | undefined;
  readonly selection?: Selection | undefined;
  readonly sorting?: Sorting | undefined;
}

/** The order of the list, which headers of columns change. */
export interface Sorting {
  readonly order: string;
  readonly onChange: (order: string) => void;
}

export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
}
