import { EmptyState } from './empty-state.tsx';

interface Props {
  /** In the plural: `findings`. */
  readonly what: string;
  readonly children?: string;
}

/** A list without results for its filters. */
export function NoMatches({ what, children = 'Remove a filter to see more.' }: Props) {
  return <EmptyState title={`No ${what} match these filters`}>{children}</EmptyState>;
}
