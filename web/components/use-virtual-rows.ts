import {
  defaultRangeExtractor,
  type Range,
  useWindowVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual';
import { type FocusEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

/** Shorter lists are shown as a whole, so that the browser can search and print them. */
const longest = 100;

/** The measured rows of lists that were left, by the key of the history's entry, so that going back finds each at its place. */
const measured = new Map<string, VirtualItem[]>();
const mostMeasured = 10;

interface Options<Row> {
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** See `TableProps`. */
  readonly activeKey: string | undefined;
  /** Expected height of a row in pixels, until it is measured. */
  readonly height: number;
  /** Between rows. */
  readonly gap?: number;
}

/** A part of a long list: a row, or the space of the rows before it that are not shown. */
export interface ShownRow<Row> {
  readonly row: Row;
  readonly index: number;
  readonly spaceBefore: number;
}

/**
 * The rows to show of a list that scrolls with the window: all, or of a long list those near the window, the one with
 * the keyboard's focus, and the active one with its neighbors, which the keyboard opens next.
 */
export function useVirtualRows<Row>({ rows, rowKey, activeKey, height, gap = 0 }: Options<Row>) {
  const isVirtual = rows.length > longest;
  const frame = useRef<HTMLDivElement & HTMLUListElement>(null);
  const [focused, setFocused] = useState<number>();
  const [top, setTop] = useState(0);
  // What is above the list may change its height at any time.
  useLayoutEffect(() => {
    if (isVirtual && frame.current) setTop(frame.current.getBoundingClientRect().top + window.scrollY);
  });
  const active = isVirtual ? rows.findIndex(row => rowKey(row) === activeKey) : -1;
  const kept = [focused ?? -1, ...(active < 0 ? [] : [active - 1, active, active + 1])];
  const { key } = useLocation();
  const virtualizer = useWindowVirtualizer({
    initialMeasurementsCache: measured.get(key) ?? [],
    count: isVirtual ? rows.length : 0,
    enabled: isVirtual,
    estimateSize: () => height,
    getItemKey: index => rowKey(rows[index]!),
    overscan: 10,
    scrollMargin: top,
    gap,
    rangeExtractor: (range: Range) => {
      const near = defaultRangeExtractor(range);
      const others = kept.filter(index => index >= 0 && index < rows.length && !near.includes(index));
      return [...new Set([...near, ...others])].sort((one, other) => one - other);
    },
  });
  const left = useRef({ key, isVirtual });
  left.current = { key, isVirtual };
  useEffect(
    () => () => {
      if (!left.current.isVirtual) return;
      measured.delete(left.current.key);
      measured.set(left.current.key, virtualizer.measurementsCache);
      for (const oldest of [...measured.keys()].slice(0, -mostMeasured)) measured.delete(oldest);
    },
    [virtualizer],
  );
  const all = { frame, isVirtual };
  if (!isVirtual) {
    const shown = rows.map((row, index): ShownRow<Row> => ({ row, index, spaceBefore: 0 }));
    return { ...all, shown, spaceAfter: 0, measure: undefined, onFocus: undefined, onBlur: undefined };
  }
  let end = top;
  const shown = virtualizer.getVirtualItems().map(({ index, start, end: endOfRow }): ShownRow<Row> => {
    const spaceBefore = start - end;
    end = endOfRow + gap;
    return { row: rows[index]!, index, spaceBefore };
  });
  return {
    ...all,
    shown,
    spaceAfter: Math.max(0, virtualizer.getTotalSize() + top - end + gap),
    measure: virtualizer.measureElement,
    onFocus: ({ target }: FocusEvent) => {
      const index = target.closest<HTMLElement>('[data-index]')?.dataset.index;
      setFocused(index === undefined ? undefined : Number(index));
    },
    onBlur: () => setFocused(undefined),
  };
}
