import { Card, Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';

/** Said to screen readers while something is on its way. */
function Announcement() {
  return <VisuallyHidden role="status">Loading…</VisuallyHidden>;
}

/** As high as a table of so many rows, so that nothing moves when they arrive. */
export function TableSkeleton({ rows = 8 }: { readonly rows?: number }) {
  return (
    <Stack gap={0} aria-busy="true">
      <Announcement />
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <Group key={row} h={41} gap="lg" wrap="nowrap" style={{ borderBottom: '1px solid var(--line)' }}>
          <Skeleton h={12} w={72} />
          <Skeleton h={12} flex={1} />
          <Skeleton h={12} w={96} visibleFrom="sm" />
        </Group>
      ))}
    </Stack>
  );
}

/** A card that is not there yet. */
export function CardSkeleton({ height = 120 }: { readonly height?: number }) {
  return (
    <Card withBorder h={height} aria-busy="true">
      <Announcement />
      <Skeleton h={14} w="40%" mb="md" />
      <Skeleton h={10} mb="xs" />
      <Skeleton h={10} w="80%" />
    </Card>
  );
}

/** A page whose code is on its way. */
export function PageSkeleton() {
  return (
    <>
      <Skeleton h={28} w={220} mb="lg" />
      <TableSkeleton />
    </>
  );
}

interface LoadedProps<T> {
  /** A query of one answer, or of pages. */
  readonly query: {
    readonly data: T | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  /** Of the size that the data will have. */
  readonly skeleton?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** What a query brings: its skeleton, its error with a retry, then the data. */
export function Loaded<T>({ query, skeleton, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return skeleton ?? <TableSkeleton />;
}
