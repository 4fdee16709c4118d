import { useState } from 'react';

interface List {
  readonly rows: readonly { readonly id: string }[];
  /** The row that is open in the drawer. */
  readonly openId: string | undefined;
  readonly onOpen: (id: string | null) => void;
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetching: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** The active row of a list, which the keyboard moves. The drawer follows it; more rows load before the end is reached. */
export function useListNavigation({ rows, openId, onOpen, query }: List) {
  const [activeId, setActiveId] = useState<string>();
  const open = (id: string | null) => {
    if (id) setActiveId(id);
    onOpen(id);
  };
  const move = (by: 1 | -1) => {
    const at = rows.findIndex(({ id }) => id === activeId);
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
    if (!next) return;
    setActiveId(next.id);
    document.querySelector(`[data-row="${next.id}"]`)?.scrollIntoView({ block: 'nearest' });
    if (openId) onOpen(next.id);
    if (at + by >= rows.length - 5 && query.hasNextPage && !query.isFetching) void query.fetchNextPage();
  };
  return { activeId, open, move };
}
