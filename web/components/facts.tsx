import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** What is known of something: `dt` and `dd` by turns, in two columns. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}
