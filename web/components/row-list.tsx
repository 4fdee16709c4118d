import type { ReactNode } from 'react';
import classes from './row-list.module.css';

interface Props {
  /** Names the list for screen readers. */
  readonly label?: string;
  readonly ordered?: boolean;
  /** One `li` per row; its parts share the width. */
  readonly children: ReactNode;
}

/** A plain list with lines between its rows. */
export function RowList({ label, ordered, children }: Props) {
  const List = ordered ? 'ol' : 'ul';
  return (
    <List className={classes.rows} aria-label={label}>
      {children}
    </List>
  );
}

/** The main part of a row, which takes the space that is left. */
export function RowText({ children }: { readonly children: ReactNode }) {
  return <div className={classes.text}>{children}</div>;
}
